// tmd doctor: checks everything that a search needs. Each line says "ok" or what to do.
#include "commands.hpp"
#include "doctor_engines.hpp"
#include "run_child.hpp"
#include "search_options.hpp"

#include "device/profile_store.hpp"
#include "engine/registry.hpp"
#include "opencl/drivers.hpp"
#include "opencl/kernel_files.hpp"
#include "opencl/pocl_cache.hpp"
#include "opencl/private_memory.hpp"
#include "opencl/program_store.hpp"
#include "result/program.hpp"
#include "support/installed_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

namespace fs = std::filesystem;
using opencl::DeviceDescription;

// Prints a line for a check that may throw; returns whether it did not.
template <typename Check> bool is_fine(std::string_view what, const Check& text) {
  try {
    tell(true, what, text());
    return true;
  } catch (const std::exception& error) {
    tell(false, what, failure_of(error).sentence);
    return false;
  }
}

void check_drivers() {
  const std::string loader = opencl::loader_file();
  tell(true, "loader", loader.empty() ? "linked into this program" : loader);
  const auto drivers = opencl::driver_files();
  if (drivers.empty())
    tell(false, "drivers",
         fmt::format("'{}' has no *.icd file: install a driver, or PoCL for the CPU (package pocl-opencl-icd)",
                     opencl::driver_place().string()));
  for (const opencl::DriverFile& driver : drivers)
    tell(driver.problem.empty(), "driver",
         driver.problem.empty() ? fmt::format("{}: {}", driver.file.string(), driver.library)
                                : opencl::why_not_loaded(driver));
}

void check_cache() {
  const opencl::PoclCache& cache = opencl::prepare_pocl_cache();
  if (!cache.problem.empty())
    tell(false, "cache folder",
         cache.writable() ? fmt::format("{}; PoCL uses '{}' instead", cache.problem, cache.folder.string())
                          : cache.problem);
  else
    tell(true, "cache folder",
         fmt::format("{}{}", cache.folder.string(), cache.ours ? ", since PoCL's own cannot be written" : ""));
  // A warning only: without the store, searches take longer to start.
  const std::string problem = opencl::ProgramStore::problem();
  tell(true, "programs", problem.empty() ? opencl::ProgramStore::folder()->string() : problem);
}

// Whether the drivers can list their devices, tried in a process of its own: some drivers crash, PoCL for example if it
// cannot determine the memory size.
bool drivers_answer() {
  constexpr double patience = 120; // seconds
  const ChildEnd end = run_child({"devices"}, patience);
  if (end.kind == ChildEnd::Kind::exited) // the reason for a failure is shown below
    return true;
  fmt::print(stderr, "{}", end.errors);
  tell(
      false, "devices",
      fmt::format("a driver does not list its devices: {}; OCL_ICD_VENDORS may name a folder of *.icd files without it",
                  end.sentence()));
  return false;
}

void check_platforms() {
  const auto platforms = opencl::list_platforms();
  for (const opencl::PlatformDescription& platform : platforms)
    if (opencl::is_superseded(platform, platforms))
      tell(true, "platform", fmt::format("{}, {}, without devices: others have them", platform.name, platform.version));
    else
      tell(platform.devices > 0, "platform",
           platform.devices > 0 ? fmt::format("{}, {}", platform.name, platform.version)
                                : opencl::why_without_devices(platform));
}

device::ProfileStore read_profiles() {
  std::vector<fs::path> folders{support::user_profile_folder().value_or(fs::path()), support::shipped_profile_folder()};
  return {folders, engine::engine_tuning(), [](const std::string& sentence) { tell(false, "profiles", sentence); }};
}

struct Kernels {
  bool foreign_too = false; // whether --foreign-kernels was given
  bool usable = false;
};

// Whether work-groups of the size in the tunables fit on the stack of a CPU's threads.
void check_stack(const DeviceDescription& device, const device::Tunables& tunables) {
  if (!device.is_cpu)
    return;
  const std::uint64_t stack = opencl::thread_stack();
  const std::uint64_t most = opencl::work_items_on_stack(device, stack);
  const std::string room = fmt::format("of {} KiB a thread: room for {} work-items in a work-group", stack >> 10, most);
  std::string beyond;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    if (tunable.name.ends_with(".work-group-size") && static_cast<std::uint64_t>(tunables[tunable]) > most)
      beyond += fmt::format("{}{}", beyond.empty() ? "" : ", ", tunable.name);
  tell(beyond.empty(), "  stack",
       beyond.empty()
           ? room
           : fmt::format("{}; larger ones are reduced to that: {}; `ulimit -s 8192` gives more", room, beyond));
}

// Checks a device, its profile and its engines; returns whether it can search.
bool check_device(const DeviceDescription& device, const device::ProfileStore& profiles, CpuMode mode,
                  const Kernels& kernels) {
  const std::string reason = device.why_unusable();
  const std::string name = fmt::format("device {}", device.index);
  if (!reason.empty()) {
    tell(false, name,
         fmt::format("{} cannot be used: {}; update its driver, or take another device", device.name, reason));
    return false;
  }
  tell(true, name, fmt::format("{} ({}), driver {}", device.name, device.platform, device.driver_version));
  const device::ProfileChoice profile = profiles.choose(device, mode);
  tell(true, "  profile", profile.why);
  check_stack(device, profile.tunables);
  return kernels.usable && check_engines(device, kernels.foreign_too);
}

// Checks all devices; returns whether the one that searches use by default can search.
bool check_devices(CpuMode mode, const Kernels& kernels) {
  const auto devices = opencl::list_devices();
  const device::ProfileStore profiles = read_profiles();
  std::vector<bool> well;
  well.reserve(devices.size());
  for (const DeviceDescription& device : devices)
    well.push_back(check_device(device, profiles, mode, kernels));
  return well.at(opencl::select_device(devices, "").index);
}

} // namespace

cxxopts::Options doctor_options() {
  cxxopts::Options options("tmd doctor", "Checks everything that a search needs. Each line says \"ok\" or what to "
                                         "do.\nExit status 0 if a search would run, else 3.");
  add_option(options, "foreign-kernels");
  options.add_options()("h,help", "this text");
  return options;
}

int doctor(const Arguments& arguments) {
  cxxopts::Options options = doctor_options();
  const auto parsed = parse(options, "doctor", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help());
    return 0;
  }
  const CpuMode mode = request::cpu_mode_of({});
  opencl::apply_cpu_mode(mode);
  tell(true, "version", "tmd " + result::version_text());
  Kernels kernels{.foreign_too = parsed.count("foreign-kernels") != 0};
  kernels.usable = is_fine("kernels", [&] {
    return fmt::format("{}, {}", support::kernel_folder().string(),
                       to_string(opencl::use_kernels(kernels.foreign_too)));
  });
  check_cache(); // before the first OpenCL call
  check_drivers();
  bool well = false;
  try {
    if (drivers_answer()) {
      check_platforms();
      well = check_devices(mode, kernels);
    }
  } catch (const std::exception& error) {
    tell(false, "devices", failure_of(error).sentence);
  }
  fmt::print("{}\n", well ? "A search would run." : "A search would not run.");
  return static_cast<int>(well ? Status::done : Status::device);
}

} // namespace tmd::app
