// tmd check: somebody's list of cases against MPFR, and against a complete list.
#include "commands.hpp"
#include "options.hpp"
#include "search_child.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "function/expression.hpp"
#include "result/case_list.hpp"
#include "result/list_check.hpp"
#include "result/record.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

constexpr std::size_t most_mistakes = 100; // mistakes; the JSON Lines have all

Json record(const Mistake& mistake) {
  return plain_record("mistake", {{"kind", to_string(mistake.kind)},
                                  {"line", mistake.line == 0 ? Json(nullptr) : Json(mistake.line)},
                                  {"x", mistake.x},
                                  {"message", mistake.sentence}});
}

Json record(const BinadeCheck& binade) {
  return plain_record("binade", {{"negative", binade.negative},
                                 {"exponent", binade.exponent},
                                 {"cases", binade.cases},
                                 {"missing", binade.missing},
                                 {"complete_from", four_decimals(binade.complete_from)}});
}

void print(const std::vector<Mistake>& mistakes) {
  for (std::size_t i = 0; i < std::min(mistakes.size(), most_mistakes); ++i) {
    const Mistake& mistake = mistakes[i];
    fmt::print("{:<12}{}{}: {}\n", to_string(mistake.kind), mistake.x,
               mistake.line == 0 ? "" : fmt::format(", line {}", mistake.line), mistake.sentence);
  }
  if (mistakes.size() > most_mistakes)
    fmt::print("and {} more\n", mistakes.size() - most_mistakes);
}

// What is searched or compared; without a range all numbers of the format.
Job job_to_check(const SearchSpec& spec) {
  if (!spec.bits)
    throw UsageError("--bits is missing");
  Job job = job_of_format(spec);
  job.rounding = spec.rounding;
  job.values = spec.values.value_or(Values::unbounded);
  job.bits = *spec.bits;
  const ArgumentSet set = job.arguments();
  job.first = spec.from ? set.parse(*spec.from, "--from") : 1 - set.end();
  job.last = spec.to ? set.parse(*spec.to, "--to") : set.end();
  if (job.first >= job.last)
    throw UsageError("the range is empty: --from is not below --to");
  return job;
}

} // namespace

cxxopts::Options check_options() {
  cxxopts::Options options("tmd check",
                           "Checks a list of cases: every entry in MPFR, and whether any case is missing.");
  options.custom_help("FUNCTION LIST --bits K [OPTION ...]").positional_help("").set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add_option(options, "bits", "K: what should be listed is closer than 2^-K breakpoint spacings");
  add_option(options, "from", "first argument that is looked at");
  add_option(options, "to", "end of the range, not itself looked at");
  add_options_of(options, {OptionGroup::format});
  add_option(options, "rounding");
  add_option(options, "values",
             "values as the format has them, or with unbounded exponents: format, unbounded (default: unbounded)");
  add("against", "a list that is complete in the range, instead of a search", text(), "FILE");
  add("values-only", "look at the entries only, and for no missing ones");
  add_option(options, "device", "of the search, as for tmd search; may be repeated");
  add_option(options, "json", "write a record per mistake and per binade to FILE (JSON Lines)");
  add("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  return options;
}

int check(const Arguments& arguments) {
  cxxopts::Options options = check_options();
  const auto parsed = parse(options, "check", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}", options.help({""}));
    return 0;
  }
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (words.size() == 1)
    throw UsageError("no list given");
  if (words.size() > 2)
    throw UsageError(fmt::format("unexpected argument '{}': one list at a time", words[2]));
  if (given("against") && given("values-only"))
    throw UsageError("--against and --values-only exclude each other");
  const bool searches = !given("against") && !given("values-only");
  if (searches && !(given("from") && given("to")))
    throw UsageError("a search needs --from and --to; or give --against FILE, or --values-only");
  const auto function = function_of(words[0]);
  const SearchSpec spec = spec_of(parsed);
  Job job = job_to_check(spec);
  job.function = function.get();
  std::optional<AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});

  JudgedList list = judge_list(read_case_list(words[1]), job);
  std::vector<Mistake>& mistakes = list.mistakes;
  std::optional<Completeness> compared;
  if (!given("values-only")) {
    const CaseList complete = searches ? search_in_child(job, spec.devices, "what should be listed")
                                       : read_case_list(parsed["against"].as<std::string>());
    compared = compare_lists(list, judge_list(complete, job), job);
    if (searches && !compared->extra.empty())
      throw SoundnessError(
          fmt::format("the search has not found {}, which is listed", to_hex(compared->extra.front().found.x)));
    mistakes.insert(mistakes.end(), compared->missing.begin(), compared->missing.end());
  }

  Json summary = plain_record("summary", {{"arguments", list.arguments.size()}, {"outside", list.outside}});
  for (const Mistake::Kind kind :
       {Mistake::Kind::missing, Mistake::Kind::superfluous, Mistake::Kind::misclassed, Mistake::Kind::unusable})
    summary[std::string(to_string(kind))] =
        std::count_if(mistakes.begin(), mistakes.end(), [&](const Mistake& one) { return one.kind == kind; });
  summary["not_in_reference"] = compared ? Json(compared->extra.size()) : Json(nullptr);
  std::string lines = record_line(first_record("check", running_program(),
                                               {{"function", job.function->name},
                                                {"format", job.format.name},
                                                {"argument_precision", job.argument_precision},
                                                {"rounding", to_string(job.rounding)},
                                                {"bits", job.bits},
                                                {"list", words[1]}}));
  for (const Mistake& mistake : mistakes)
    lines += record_line(record(mistake));
  if (compared)
    for (const BinadeCheck& binade : compared->binades)
      lines += record_line(record(binade));
  if (json)
    json->commit(lines + record_line(summary));

  print(mistakes);
  if (compared) {
    for (const BinadeCheck& binade : compared->binades)
      fmt::print("binade of {}2^{}: {} of {} cases listed, complete from {:.4f} bits on\n", binade.negative ? "-" : "",
                 binade.exponent, binade.cases - binade.missing, binade.cases, binade.complete_from);
    if (!compared->extra.empty())
      fmt::print("{} {}-bit cases of the list are not in {}\n", compared->extra.size(), job.bits,
                 parsed["against"].as<std::string>());
  }
  fmt::print("{} entries in the range, {} outside; {} mistakes\n", list.arguments.size(), list.outside,
             mistakes.size());
  return static_cast<int>(mistakes.empty() ? Status::done : Status::unsound);
}

} // namespace tmd::app
