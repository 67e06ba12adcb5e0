// Functions of two variables are searched completely: on the host, where only the options for the job and the output
// files count, or on devices for pow and powr.
#include "search_pairs.hpp"

#include "number/in_parallel.hpp"
#include "options.hpp"
#include "search_options.hpp"
#include "search_powers.hpp"
#include "search_tiles.hpp"
#include "standard_streams.hpp"

#include "pairs/pair_search.hpp"
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
// The options for a search of pow or powr on devices.
constexpr std::array<std::string_view, 24> options_of_powers{
    "function", "format",     "bits",     "rounding",      "host-threads", "wc",      "json",  "reproducible",
    "show",     "quiet",      "device",   "cpu-mode",      "profile",      "set",     "shard", "foreign-kernels",
    "journal",  "no-journal", "progress", "other-version", "most-cases",   "dry-run", "audit", "mpi"};

// The options for a search of an expression over ranges of x and y.
constexpr std::array<std::string_view, 18> options_of_tiles{
    "function", "x-range", "y-range", "format", "bits",     "rounding", "host-threads",    "wc",       "json",
    "show",     "device",  "quiet",   "set",    "cpu-mode", "profile",  "foreign-kernels", "progress", "most-cases"};

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

// Functions that are searched over ranges by their expressions. An expression that is one of these is the first such
// function: theorems say where its values are exact.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> expressions_of_functions{
    {{"pow", "x^y"}, {"powr", "x^y"}, {"hypot", "sqrt(x^2+y^2)"}}};

std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

int search_ranges(const cxxopts::ParseResult& parsed, const std::vector<std::string>& names) {
  if (parsed.count("x-range") == 0 || parsed.count("y-range") == 0 || names.size() != 1)
    throw UsageError("--x-range and --y-range are given together, with one expression of x and y, pow, powr or hypot");
  const auto* const known =
      std::find_if(expressions_of_functions.begin(), expressions_of_functions.end(), [&](const auto& one) {
        return names.front() == one.first || without_blanks(names.front()) == one.second;
      });
  const bool is_known = known != expressions_of_functions.end();
  if (!is_known && function::find_pair_function(names.front()) != nullptr)
    throw UsageError(fmt::format("--x-range and --y-range serve pow, powr, hypot and expressions of x and y, not {}",
                                 names.front()));
  const function::PairExpression expression =
      function::make_pair_expression(is_known ? known->second : std::string_view(names.front()));
  const function::PairFunction* function = is_known ? function::find_pair_function(known->first) : &expression.function;
  SearchSpec spec = spec_of_pairs(parsed, *function, options_of_tiles);
  pairs::PairJob job{function, find_format(spec.format), spec.rounding, 0};
  job.K = spec.bits.value_or(default_bits(*function, job.format));
  job.ranges = {support::trimmed(values_of(parsed, "x-range").back()),
                support::trimmed(values_of(parsed, "y-range").back())};
  return search_tiles({job, spec}, *expression.formula, run::output_names(spec));
}

// Whether a text is an expression of x and y.
bool is_of_two_variables(const std::string& text) {
  try {
    return !function::parse_pair_formula(text).operations.empty();
  } catch (const UsageError&) {
    return false;
  }
}

} // namespace

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
    return search_ranges(parsed, names);
  if (function == nullptr && names.size() == 1 && is_of_two_variables(names.front()))
    throw UsageError("an expression of x and y needs a range for each: --x-range FROM:TO --y-range FROM:TO");
  if (function == nullptr)
    return std::nullopt;
  SearchSpec spec = pairs::is_power(*function) ? spec_of_pairs(parsed, *function, options_of_powers)
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
