// The options that say what is searched, on which device and how: shared by the subcommands that run searches.
#pragma once

#include "options.hpp"

#include "opencl/cpu_mode.hpp"
#include "opencl/device.hpp"
#include "search/search.hpp"

namespace tmd::app {

// Adds FUNCTION, --from, --to, --format, --argument-precision, --rounding, --bits, --algorithm, --domain-bits, and
// what add_device_options() adds.
void add_job_options(cxxopts::Options& options);

// The job that was asked for. Throws UsageError for anything wrong with it.
[[nodiscard]] SearchJob make_job(const cxxopts::ParseResult& parsed);

// Adds --device, --cpu-mode and --set.
void add_device_options(cxxopts::Options& options);

// A device and how it is to be used.
struct DeviceChoice {
  opencl::DeviceDescription device;
  opencl::CpuMode cpu_mode = opencl::CpuMode::automatic; // as asked for
  Tunables tunables;                                     // of its profile, after --set
  std::string profile;                                   // where the tunables come from
};

// The CPU mode of --cpu-mode, or else of TMD_CPU_MODE. Throws UsageError for an unknown one.
[[nodiscard]] opencl::CpuMode asked_cpu_mode(const cxxopts::ParseResult& parsed);

// The device of --device, among those of this machine. Call it before anything else uses OpenCL: it puts the CPU mode
// of
// --cpu-mode, or else of TMD_CPU_MODE, into effect.
[[nodiscard]] DeviceChoice choose_device(const cxxopts::ParseResult& parsed);

// Throws UsageError for anything wrong with --set or the CPU mode; touches no device.
void check_device_options(const cxxopts::ParseResult& parsed);

// For help texts.
[[nodiscard]] std::string function_list();
[[nodiscard]] std::string tunable_list();

} // namespace tmd::app
