// The options of a search on the command line: rows of the option table, for all the subcommands that take some.
#pragma once

#include "options.hpp"

#include "request/option_table.hpp"
#include "request/resolve.hpp"

#include <initializer_list>
#include <string>
#include <vector>

namespace tmd::app {

// How many devices a command may be given.
enum class DeviceCount { one, several };

// Adds the rows of these groups.
void add_options_of(cxxopts::Options& options, std::initializer_list<request::OptionGroup> groups,
                    DeviceCount count = DeviceCount::several);
// Adds one row, with another text where there is one.
void add_option(cxxopts::Options& options, std::string_view name, std::string_view help = {});

// Adds FUNCTION, and the options of the job.
void add_job_options(cxxopts::Options& options);
// The same with those of the algorithm and the device.
void add_search_options(cxxopts::Options& options, DeviceCount count = DeviceCount::one);
// Adds --device, --cpu-mode, --set and --foreign-kernels.
void add_device_options(cxxopts::Options& options, DeviceCount count = DeviceCount::one);

// How this program asks itself for a search, as JSON; in no help text.
inline constexpr const char* spec_option = "spec";

// All that was asked for, as far as options were added: of --spec, then of the options. Touches no device. Throws
// UsageError for what an option cannot have.
[[nodiscard]] SearchSpec spec_of(const cxxopts::ParseResult& parsed);

// One for each function, or for each request of an array of them.
[[nodiscard]] std::vector<SearchSpec> specs_of(const cxxopts::ParseResult& parsed);

// The same as spec_of() with what it means. Throws UsageError for anything wrong.
[[nodiscard]] request::SearchRequest parse_search_options(const cxxopts::ParseResult& parsed,
                                                          request::BoundsUse bounds = request::BoundsUse::required);

// For help texts.
[[nodiscard]] std::string tunable_list();  // with their ranges
[[nodiscard]] std::size_t tunable_width(); // of the longest name

// The numbers from --from up to --to, without it; nothing where neither is given. Throws UsageError where one lacks.
[[nodiscard]] std::optional<job::RankInterval> range_asked(const SearchSpec& spec, const format::ArgumentSet& set);

} // namespace tmd::app
