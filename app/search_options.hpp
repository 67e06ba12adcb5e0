// The options that say what is searched, on which devices and how: one struct, parsed once, for all the subcommands
// that run searches.
#pragma once

#include "options.hpp"

#include "device/profile_store.hpp"
#include "engine/settings.hpp"
#include "job/job.hpp"
#include "opencl/cpu_mode.hpp"
#include "opencl/device.hpp"
#include "opencl/kernel_files.hpp"
#include "search/audit.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tmd::app {

inline constexpr int most_bits = 120; // K: beyond, no bound of the ledger could be met

struct SearchOptions {
  Job job;
  std::shared_ptr<const Function> function; // the job's
  Choices choices;
  std::string from; // the range as the user wrote it; what was left out is an end of the function's domain
  std::string to;
  bool is_whole = false;                                     // whether a bound was left out
  Symmetry symmetry = Symmetry::none;                        // for which only x ≥ 0 is searched
  opencl::CpuMode cpu_mode = opencl::CpuMode::automatic;     // of --cpu-mode, or else of TMD_CPU_MODE
  std::vector<std::string> devices;                          // selectors of --device; an empty one where there was none
  std::vector<std::pair<std::string, std::string>> tunables; // of --set
  bool foreign_kernels = false;                              // whether --foreign-kernels was given
};

// Whether --from and --to may be left out.
enum class BoundsUse { required, optional };

// How many devices a command may be given.
enum class DeviceCount { one, several };

// Adds FUNCTION, --from, --to, --format, --argument-precision, --rounding, --values, --bits, --algorithm,
// --domain-bits, and what add_device_options() adds.
void add_search_options(cxxopts::Options& options, DeviceCount count = DeviceCount::one);
// Adds --format and --argument-precision.
void add_format_options(cxxopts::Options& options);
// A job with these two and nothing else.
[[nodiscard]] Job parse_format(const cxxopts::ParseResult& parsed);
// Adds --device, --cpu-mode, --set and --foreign-kernels.
void add_device_options(cxxopts::Options& options, DeviceCount count = DeviceCount::one);
// Adds --foreign-kernels.
void add_kernel_option(cxxopts::Options& options);
// Adds --deployment, --compaction, --polynomials and --check-polynomials.
void add_engine_options(cxxopts::Options& options);

// All that was asked for, as far as options were added. Touches no device. Throws UsageError for anything wrong.
[[nodiscard]] SearchOptions parse_search_options(const cxxopts::ParseResult& parsed,
                                                 BoundsUse bounds = BoundsUse::required);
// The same for commands without a job.
[[nodiscard]] SearchOptions parse_device_options(const cxxopts::ParseResult& parsed);

// A device and how it is to be used.
struct DeviceChoice {
  opencl::DeviceDescription device;
  opencl::CpuMode cpu_mode = opencl::CpuMode::automatic; // as asked for
  Tunables tunables;                                     // of its profile, after --set
  Costs costs;                                           // of its profile
  std::string profile;                                   // where they come from
  opencl::KernelUse kernels;
};

// The devices of --device, in that order, or every one for `all`; notes on stderr name those that `all` leaves out.
// Call it before anything else uses OpenCL: it puts the CPU mode into effect. Throws UsageError when a device is named
// twice, DeviceError for foreign kernels that are not wanted.
[[nodiscard]] std::vector<DeviceChoice> choose_devices(const SearchOptions& options);

// The same for a command that uses one device. Throws UsageError when more are asked for.
[[nodiscard]] DeviceChoice choose_device(const SearchOptions& options);

// What --device was given, each time; nothing when it was not. Throws UsageError for a blank one.
[[nodiscard]] std::vector<std::string> device_selectors(const cxxopts::ParseResult& parsed);

// The CPU mode of --cpu-mode, where there is such an option, or else of TMD_CPU_MODE. Throws UsageError for an unknown
// one.
[[nodiscard]] opencl::CpuMode asked_cpu_mode(const cxxopts::ParseResult& parsed);

// The options with which some of a search is searched again in that way, all else being the same.
[[nodiscard]] SearchOptions again_by(const AuditWay& way, SearchOptions options);

// The engines' settings on a device.
[[nodiscard]] EngineSettings engine_settings(const SearchOptions& options, const DeviceChoice& choice,
                                             unsigned host_threads = 1);

// For help texts.
[[nodiscard]] std::string tunable_list();  // with their ranges
[[nodiscard]] std::size_t tunable_width(); // of the longest name

} // namespace tmd::app
