// The options of a search on the command line, from the option table, for all subcommands that take some of them.
#pragma once

#include "options.hpp"

#include "request/option_table.hpp"
#include "request/resolve.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace tmd::app {

// The number of devices that a command accepts.
enum class DeviceCount { one, several };

// Adds the options of these groups.
void add_options_of(cxxopts::Options& options, std::initializer_list<request::OptionGroup> groups,
                    DeviceCount count = DeviceCount::several);
// Adds one option, with another help text if given.
void add_option(cxxopts::Options& options, std::string_view name, std::string_view help = {});

// Adds FUNCTION, and the options of the job.
void add_job_options(cxxopts::Options& options);
// The same, and the options of algorithm and device.
void add_search_options(cxxopts::Options& options, DeviceCount count = DeviceCount::one);
// Adds --device, --cpu-mode, --set and --foreign-kernels.
void add_device_options(cxxopts::Options& options, DeviceCount count = DeviceCount::one);

// The option by which this program passes itself a request as JSON; no help text shows it.
inline constexpr const char* spec_option = "spec";

// The request: that of --spec, then the other options that were added. Uses no device. Throws UsageError for an invalid
// value.
[[nodiscard]] SearchSpec spec_of(const cxxopts::ParseResult& parsed);

// A request for each function, or for each request of an array in --spec.
[[nodiscard]] std::vector<SearchSpec> specs_of(const cxxopts::ParseResult& parsed);

// The same as spec_of(), resolved. Throws UsageError for anything wrong.
[[nodiscard]] request::SearchRequest parse_search_options(const cxxopts::ParseResult& parsed,
                                                          request::BoundsUse bounds = request::BoundsUse::required);

// Texts for help: the tunables with their ranges, and the width of the longest name.
[[nodiscard]] std::string tunable_list();
[[nodiscard]] std::size_t tunable_width();

// The numbers in [--from, --to); nothing if neither is given. Throws UsageError if only one is given.
[[nodiscard]] std::optional<job::RankInterval> range_asked(const SearchSpec& spec, const format::ArgumentSet& set);

} // namespace tmd::app
