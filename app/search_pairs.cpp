// Functions of two variables are searched completely: on the host, where only the options for the job and the output
// files count, or on devices for pow, powr and compoundn. Expressions are searched on devices, over ranges.
#include "search_pairs.hpp"

#include "number/in_parallel.hpp"
#include "options.hpp"
#include "search_options.hpp"
#include "search_powers.hpp"
#include "standard_streams.hpp"

#include "pairs/pair_search.hpp"
#include "pairs/ranges.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr std::array<std::string_view, 10> options_of_pairs{
    "function", "format", "bits", "rounding", "host-threads", "wc", "json", "reproducible", "show", "quiet"};
// The options for a search on devices; --x-range and --y-range are for expressions, too.
constexpr std::array<std::string_view, 26> options_of_devices{
    "function", "format",     "bits",     "rounding",      "host-threads", "wc",      "json",  "reproducible",
    "show",     "quiet",      "device",   "cpu-mode",      "profile",      "set",     "shard", "foreign-kernels",
    "journal",  "no-journal", "progress", "other-version", "most-cases",   "dry-run", "audit", "mpi",
    "x-range",  "y-range"};

// The default K, by which a list has some hundreds or thousands of cases. pown has few pairs, rootn many.
int default_bits(const function::PairFunction& function, const Format& format) {
  const int p = format.precision;
  const int bits = function.name == "pown" ? p + 4 : function.name == "rootn" ? 2 * p + 4 : 2 * p - 4;
  return std::max(bits, pairs::least_pair_bits);
}

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether x^y is to be searched on devices: the host cannot do it, or an option asks for devices.
bool is_for_devices(const pairs::PairJob& job, const cxxopts::ParseResult& parsed) {
  if (!pairs::is_power(*job.function))
    return false;
  const std::vector<std::string> given = given_options(parsed);
  return !pairs::serves_every_pair(job) || std::any_of(given.begin(), given.end(), [](const std::string& name) {
    return !is_one_of(options_of_pairs, name);
  });
}

int search_ranges(const cxxopts::ParseResult& parsed, const std::vector<std::string>& names, run::Ranks* ranks) {
  if (parsed.count("x-range") == 0 || parsed.count("y-range") == 0 || names.size() != 1)
    throw UsageError("--x-range and --y-range are given together, with one expression of x and y, pow, powr or hypot");
  const auto range = [&](const char* option) { return support::trimmed(values_of(parsed, option).back()); };
  pairs::PairJob job = pairs::job_over_ranges(names.front(), {range("x-range"), range("y-range")}, {}, {});
  SearchSpec spec = spec_of_pairs(parsed, *job.function, options_of_devices);
  job.format = find_format(spec.format);
  job.rounding = spec.rounding;
  job.K = spec.bits.value_or(default_bits(*job.function, job.format));
  spec.bits = job.K;
  return search_powers({job, spec}, run::output_names(spec), ranks);
}

} // namespace

bool is_of_two_variables(const std::string& text) {
  try {
    return !function::parse_pair_formula(text).operations.empty();
  } catch (const UsageError&) {
    return false;
  }
}

SearchSpec spec_of_pairs(const cxxopts::ParseResult& parsed, const function::PairFunction& function,
                         std::span<const std::string_view> options) {
  for (const std::string& name : given_options(parsed))
    if (!is_one_of(options, name))
      throw UsageError(fmt::format("--{} is not for functions of two variables, such as {}", name, function.name));
  SearchSpec spec;
  for (const request::SearchOption& option : request::option_table())
    if (option.group != request::OptionGroup::function)
      for (const std::string& text : values_of(parsed, option.name))
        request::set_option(spec, option, text);
  return spec;
}

unsigned threads_of(const SearchSpec& spec) {
  return spec.host_threads ? static_cast<unsigned>(*spec.host_threads) : number::cores();
}

std::optional<int> search_pair_function(const cxxopts::ParseResult& parsed, run::Ranks* ranks) {
  const std::vector<std::string> names = values_of(parsed, "function");
  const function::PairFunction* function = names.size() == 1 ? function::find_pair_function(names.front()) : nullptr;
  if (parsed.count("x-range") + parsed.count("y-range") > 0)
    return search_ranges(parsed, names, ranks);
  if (function == nullptr && names.size() == 1 && is_of_two_variables(names.front()))
    throw UsageError("an expression of x and y needs a range for each: --x-range FROM:TO --y-range FROM:TO");
  if (function == nullptr)
    return std::nullopt;
  SearchSpec spec = pairs::is_power(*function) ? spec_of_pairs(parsed, *function, options_of_devices)
                                               : spec_of_pairs(parsed, *function, options_of_pairs);
  pairs::PairJob job{function, find_format(spec.format), spec.rounding, 0};
  job.K = spec.bits.value_or(default_bits(*function, job.format));
  if (is_for_devices(job, parsed)) {
    spec.bits = job.K;
    return search_powers({job, spec}, run::output_names(spec), ranks);
  }
  const run::SearchFiles files = run::open_files(run::output_names(spec));
  print_no_tables_beside({&files.wc, &files.json});
  return finish_pairs({job, spec}, files, pairs::search_pairs(job, threads_of(spec)));
}

} // namespace tmd::app
