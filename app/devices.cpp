// tmd devices: what is there, its class, its limits, its profile.
#include "commands.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "engine/registry.hpp"
#include "opencl/device.hpp"
#include "result/record.hpp"
#include "run/device_choice.hpp"
#include "support/atomic_file.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

using opencl::DeviceDescription;
Json record(const DeviceDescription& device, const ProfileChoice& profile) {
  return first_record("device", running_program(),
                      {{"index", device.index},
                       {"name", device.name},
                       {"vendor", device.vendor},
                       {"class", to_string(device.device_class())},
                       {"platform", device.platform},
                       {"platform_version", device.platform_version},
                       {"device_version", device.device_version},
                       {"language_version", device.language_version},
                       {"driver", device.driver_version},
                       {"simd_width", device.simd_width()},
                       {"compute_units", device.compute_units},
                       {"clock_mhz", device.clock_mhz},
                       {"global_memory", device.global_memory},
                       {"largest_buffer", device.largest_buffer},
                       {"local_memory", device.local_memory},
                       {"work_group_size", device.work_group_size},
                       {"fp64", device.has_fp64()},
                       {"int64", device.has_int64()},
                       {"unusable", device.why_unusable()},
                       {"profile", profile.why},
                       {"profile_file", profile.file.string()},
                       {"tuned", profile.tuned.has_value()}});
}

// Which profile applies, why, and what it is worth.
std::string describe(const ProfileChoice& profile) {
  if (!profile.tuned)
    return profile.why;
  const ProfileOrigin& tuned = *profile.tuned;
  return fmt::format("{}; tuned {}, {:.2f} times as fast as the {}{}", profile.why, tuned.date, tuned.gain,
                     tuned.against,
                     tuned.gains.contains("wide") ? fmt::format(", the wide test {:.2f} times", tuned.gains.at("wide"))
                                                  : ", its wide test untuned");
}

void print(const DeviceDescription& device, const ProfileChoice& profile) {
  constexpr double gibibyte = 1 << 30;
  const std::string reason = device.why_unusable();
  fmt::print("{}  {}\n", device.index, device.name);
  const auto line = [](std::string_view name, const std::string& value) { fmt::print("   {:<15}{}\n", name, value); };
  line("class", fmt::format("{}, SIMD width {}", to_string(device.device_class()), device.simd_width()));
  line("compute units", fmt::format("{} at {} MHz", device.compute_units, device.clock_mhz));
  line("memory", fmt::format("{:.1f} GiB, largest buffer {:.1f} GiB, local {} KiB",
                             static_cast<double>(device.global_memory) / gibibyte,
                             static_cast<double>(device.largest_buffer) / gibibyte, device.local_memory / 1024));
  line("work-group", fmt::format("at most {} work-items", device.work_group_size));
  line("arithmetic",
       fmt::format("64-bit integers {}, FP64 {}", device.has_int64() ? "yes" : "no", device.has_fp64() ? "yes" : "no"));
  line("platform", fmt::format("{}, {}", device.platform, device.platform_version));
  line("version",
       fmt::format("{}, {}, driver {}", device.device_version, device.language_version, device.driver_version));
  line("usable", reason.empty() ? "yes" : "no: " + reason);
  line("profile", describe(profile));
}

void print_tunables(const Tunables& tunables) {
  for (const Tunable& tunable : engine_tuning().tunables())
    fmt::print("   {:<{}}  {}\n", tunable.name, tunable_width(), to_string(tunable, tunables[tunable]));
}

} // namespace

cxxopts::Options devices_options() {
  cxxopts::Options options("tmd devices", "Lists the OpenCL devices: what is there, its class, its limits.");
  auto add = options.add_options();
  add("json", "write a record per device to FILE (JSON Lines)", cxxopts::value<std::string>(), "FILE");
  add("tunables", "print the tunables of each device, as its profile sets them");
  add("h,help", "this text");
  return options;
}

int devices(const Arguments& arguments) {
  cxxopts::Options options = devices_options();
  const auto parsed = parse(options, "devices", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help());
    return 0;
  }
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  std::string lines;
  const opencl::CpuMode cpu_mode = cpu_mode_of({});
  const ProfileStore profiles = installed_profiles(print_remark);
  std::vector<std::pair<DeviceDescription, ProfileChoice>> found;
  for (const DeviceDescription& device : opencl::list_devices()) {
    found.emplace_back(device, profiles.choose(device, cpu_mode));
    lines += record_line(record(device, found.back().second));
  }
  if (json)
    json->commit(lines);
  for (const auto& [device, profile] : found) {
    print(device, profile);
    if (parsed.count("tunables") != 0)
      print_tunables(profile.tunables);
  }
  return 0;
}

} // namespace tmd::app
