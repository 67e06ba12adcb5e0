// tmd show: values at single arguments, around the bits that decide how they are rounded.
#include "commands.hpp"
#include "options.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "function/expression.hpp"
#include "report/value_report.hpp"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

cxxopts::Options show_options() {
  cxxopts::Options options("tmd show", "Shows f(x) around the bits that decide how it is rounded, and every rounding.");
  options.custom_help("FUNCTION X ... [OPTION ...]").positional_help("").set_width(120);
  add_options_of(options, {OptionGroup::format});
  add_option(options, "bits", "say whether it is a K-bit case");
  add_option(options, "json", "write a record per argument to FILE (JSON Lines)");
  options.add_options()("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  return options;
}

int show(const Arguments& arguments) {
  cxxopts::Options options = show_options();
  const auto parsed = parse(options, "show", negative_numbers_last(arguments));
  if (parsed.count("help") != 0) {
    fmt::print("{}\nexample:\n  tmd show exp 0x1.0000000050418p+0\n", options.help({""}));
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (words.size() == 1)
    throw UsageError("no argument given: name numbers after the function");
  const auto function = function_of(words.front());
  const SearchSpec spec = spec_of(parsed);
  Job job = job_of_format(spec);
  job.values = Values::format;
  job.function = function.get();
  const ArgumentSet set = job.arguments();
  std::vector<Argument> numbers;
  for (auto word = words.begin() + 1; word != words.end(); ++word) {
    const ArgumentSet::Rank rank = set.parse(*word, "X");
    if (rank == set.end())
      throw UsageError(fmt::format("X: {} is beyond the largest number of {}", *word, job.format.name));
    numbers.push_back(set.at(rank));
  }
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  std::vector<ShownValue> all;
  std::string lines;
  for (const Argument& x : numbers)
    lines += value_record(job, all.emplace_back(show_value(job, x))).dump() + "\n";
  if (json)
    json->commit(lines);
  for (const ShownValue& shown : all)
    fmt::print("{}", value_table(job, shown, spec.bits));
  return 0;
}

} // namespace tmd::app
