// Functions of two variables are searched whole, on the host, in one go: of the options of a search only those count
// that say what is searched and which files are written.
#include "search_pairs.hpp"

#include "options.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "pairs/pair_files.hpp"
#include "pairs/pair_search.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr std::array<std::string_view, 10> options_of_pairs{
    "function", "format", "bits", "rounding", "host-threads", "wc", "json", "reproducible", "show", "quiet"};
constexpr int usual_rows = 20;

// As many cases as a list should have: some hundreds or thousands.
int default_bits(const Format& format) { return std::max(2 * format.precision - 4, least_pair_bits); }

std::string command_of(const PairJob& job) {
  return fmt::format("tmd search {} --format {} --rounding {} --bits {}", job.function->name, job.format.name,
                     to_string(job.rounding), job.bits);
}

} // namespace

SearchSpec spec_of_pairs(const cxxopts::ParseResult& parsed, const PairFunction& function,
                         std::span<const std::string_view> options) {
  for (const std::string& name : given_options(parsed))
    if (std::find(options.begin(), options.end(), name) == options.end())
      throw UsageError(fmt::format("--{} is not for functions of two variables, such as {}", name, function.name));
  SearchSpec spec;
  for (const SearchOption& option : option_table())
    if (option.group != OptionGroup::function)
      for (const std::string& text : values_of(parsed, option.name))
        set_option(spec, option, text);
  return spec;
}

unsigned threads_of(const SearchSpec& spec) {
  return spec.host_threads ? static_cast<unsigned>(*spec.host_threads)
                           : std::max(std::thread::hardware_concurrency(), 1U);
}

std::optional<int> search_pair_function(const cxxopts::ParseResult& parsed) {
  const std::vector<std::string> names = values_of(parsed, "function");
  const PairFunction* function = names.size() == 1 ? find_pair_function(names.front()) : nullptr;
  if (function == nullptr)
    return std::nullopt;
  const SearchSpec spec = spec_of_pairs(parsed, *function, options_of_pairs);
  PairJob job{function, find_format(spec.format), spec.rounding, 0};
  job.bits = spec.bits.value_or(default_bits(job.format));
  std::optional<AtomicFile> list = open_file(parsed, "wc");
  std::optional<AtomicFile> records = open_file(parsed, "json");
  print_no_tables_beside({&list, &records});
  const PairResult result = search_pairs(job, threads_of(spec));
  if (list)
    list->commit(pair_list(job, result, command_of(job)));
  if (records)
    records->commit(pair_records(job, result, command_of(job), spec.reproducible));
  if (!spec.quiet)
    fmt::print("{}", pair_table(job, result, static_cast<std::size_t>(spec.show.value_or(usual_rows))));
  return static_cast<int>(Status::done);
}

} // namespace tmd::app
