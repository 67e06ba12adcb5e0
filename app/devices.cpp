// tmd devices: lists the devices with class, limits and profile.
#include "commands.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "request/resolve.hpp"
#include "result/record.hpp"
#include "support/atomic_file.hpp"
#include "tmd/device.hpp"

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

result::Json record(const DeviceInfo& device) {
  return result::first_record("device", result::running_program(),
                              {{"index", device.index},
                               {"name", device.name},
                               {"vendor", device.vendor},
                               {"class", device.device_class},
                               {"platform", device.platform},
                               {"platform_version", device.platform_version},
                               {"device_version", device.device_version},
                               {"language_version", device.language_version},
                               {"driver", device.driver},
                               {"simd_width", device.simd_width},
                               {"compute_units", device.compute_units},
                               {"clock_mhz", device.clock_mhz},
                               {"global_memory", device.global_memory},
                               {"largest_buffer", device.largest_buffer},
                               {"local_memory", device.local_memory},
                               {"work_group_size", device.work_group_size},
                               {"fp64", device.fp64},
                               {"int64", device.int64},
                               {"unusable", device.unusable},
                               {"profile", device.profile},
                               {"profile_file", device.profile_file.string()},
                               {"tuned", device.tuned.has_value()}});
}

// The profile that applies, the reason, and its gain.
std::string describe_profile(const DeviceInfo& device) {
  if (!device.tuned)
    return device.profile;
  const ProfileOrigin& tuned = *device.tuned;
  return fmt::format("{}; tuned {}, {:.2f} times as fast as the {}{}", device.profile, tuned.date, tuned.gain,
                     tuned.against,
                     tuned.gains.contains("wide") ? fmt::format(", the wide test {:.2f} times", tuned.gains.at("wide"))
                                                  : ", its wide test untuned");
}

void print(const DeviceInfo& device) {
  constexpr double gibibyte = 1 << 30;
  fmt::print("{}  {}\n", device.index, device.name);
  const auto line = [](std::string_view name, const std::string& value) { fmt::print("   {:<15}{}\n", name, value); };
  line("class", fmt::format("{}, SIMD width {}", device.device_class, device.simd_width));
  line("compute units", fmt::format("{} at {} MHz", device.compute_units, device.clock_mhz));
  line("memory", fmt::format("{:.1f} GiB, largest buffer {:.1f} GiB, local {} KiB",
                             static_cast<double>(device.global_memory) / gibibyte,
                             static_cast<double>(device.largest_buffer) / gibibyte, device.local_memory / 1024));
  line("work-group", fmt::format("at most {} work-items", device.work_group_size));
  line("arithmetic",
       fmt::format("64-bit integers {}, FP64 {}", device.int64 ? "yes" : "no", device.fp64 ? "yes" : "no"));
  line("platform", fmt::format("{}, {}", device.platform, device.platform_version));
  line("version", fmt::format("{}, {}, driver {}", device.device_version, device.language_version, device.driver));
  line("usable", device.unusable.empty() ? "yes" : "no: " + device.unusable);
  line("profile", describe_profile(device));
}

void print_tunables(const DeviceInfo& device) {
  for (const auto& [name, value] : device.tunables)
    fmt::print("   {:<{}}  {}\n", name, tunable_width(), value);
}

} // namespace

cxxopts::Options devices_options() {
  cxxopts::Options options("tmd devices", "Lists the OpenCL devices with their classes and limits.");
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
  std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const std::vector<DeviceInfo> found = list_devices(request::cpu_mode_of({}), print_remark);
  std::string lines;
  for (const DeviceInfo& device : found)
    lines += result::record_line(record(device));
  if (json)
    json->commit(lines);
  for (const DeviceInfo& device : found) {
    print(device);
    if (parsed.count("tunables") != 0)
      print_tunables(device);
  }
  return 0;
}

} // namespace tmd::app
