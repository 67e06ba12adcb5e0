// The options that say what is searched, on which device and how: shared by the subcommands that run searches.
#pragma once

#include "options.hpp"

#include "opencl/device.hpp"
#include "search/search.hpp"

namespace tmd::app {

// Adds FUNCTION, --from, --to, --format, --argument-precision, --rounding, --bits, --algorithm, --domain-bits, --device
// and --set. Defaults stand for the range that a subcommand can do without.
void add_job_options(cxxopts::Options& options);

// The job that was asked for. Throws UsageError for anything wrong with it.
[[nodiscard]] SearchJob make_job(const cxxopts::ParseResult& parsed);

// The tunables after --set.
[[nodiscard]] Tunables make_tunables(const cxxopts::ParseResult& parsed, Tunables tunables);

// The device of --device, among those of this machine.
[[nodiscard]] opencl::DeviceDescription find_device(const cxxopts::ParseResult& parsed);

// For help texts.
[[nodiscard]] std::string function_list();
[[nodiscard]] std::string tunable_list();

} // namespace tmd::app
