// tmd check: compares a list of cases with MPFR, and with a complete list. Options that are not given may follow from
// what the list says about itself.
#include "check_pairs.hpp"
#include "commands.hpp"
#include "options.hpp"
#include "search_child.hpp"
#include "search_options.hpp"
#include "standard_streams.hpp"

#include "function/expression.hpp"
#include "report/list_report.hpp"
#include "result/case_list.hpp"
#include "result/list_check.hpp"
#include "result/record.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

namespace {

// The words of the command line, and the options that exclude each other.
struct CheckRequest {
  std::string function;
  std::string list;
  std::optional<std::string> against;
  bool values_only = false;
  bool allow_extra = false;
  bool missing_only = false;

  [[nodiscard]] bool searches() const { return !against && !values_only; }
};

CheckRequest request_of(const cxxopts::ParseResult& parsed) {
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (words.size() == 1)
    throw UsageError("no list given");
  if (words.size() > 2)
    throw UsageError(fmt::format("unexpected argument '{}': one list at a time", words[2]));
  for (const char* other : {"against", "missing-only"})
    if (given(other) && given("values-only"))
      throw UsageError(fmt::format("--{} and --values-only exclude each other", other));
  CheckRequest request{words[0], words[1], {}, given("values-only"), given("allow-extra"), given("missing-only")};
  if (given("against"))
    request.against = parsed["against"].as<std::string>();
  if (request.against == "-" && request.list == "-")
    throw UsageError("LIST and --against cannot both be standard input");
  return request;
}

// The function, the job and the arguments on which the list is compared with a search or another list.
struct CheckJob {
  std::shared_ptr<const function::Function> function;
  job::Job job;
  job::Coverage range; // its hull is the job's range
};

CheckJob job_to_check(const SearchSpec& spec, const CheckRequest& request, const result::CaseList& list,
                      const result::CaseList& reference) {
  if (!spec.bits)
    throw UsageError("--bits is missing, and the list does not say from which K on it is complete");
  if (request.searches() && list.claims.ranges.empty() && !(spec.from && spec.to))
    throw UsageError("a search needs --from and --to; or give --against FILE, or --values-only");
  CheckJob result{function::function_of(request.function), request::job_of_format(spec), {}};
  job::Job& job = result.job;
  job.function = result.function.get();
  job.rounding = spec.rounding;
  job.values = spec.values.value_or(Values::format);
  job.K = *spec.bits;
  const format::ArgumentSet set = job.arguments();
  const job::Coverage referred = result::covered(reference, set);
  result.range = result::range_of(spec, set, result::covered(list, set), referred);
  const auto intervals = result.range.intervals();
  if (intervals.empty())
    throw UsageError("the list does not cover the arguments between --from and --to");
  job.first = intervals.front().first;
  job.last = intervals.back().last;
  if (const job::Coverage lacking = result.range.intersection(referred).complement_in(result.range);
      !reference.claims.ranges.empty() && !lacking.empty())
    throw UsageError(fmt::format("{} does not cover {} and other arguments of the range", *request.against,
                                 to_hex(set.at(lacking.intervals().front().first))));
  return result;
}

// Searches every stretch of the range by itself.
result::CaseList search_range(const CheckJob& check, const SearchSpec& spec) {
  result::CaseList found;
  for (const job::Coverage::Interval& interval : check.range.intervals()) {
    job::Job job = check.job;
    job.first = interval.first;
    job.last = interval.last;
    const result::CaseList part = search_in_child(job, spec.devices, "what should be listed");
    found.entries.insert(found.entries.end(), part.entries.begin(), part.entries.end());
    found.ranges.insert(found.ranges.end(), part.ranges.begin(), part.ranges.end());
  }
  return found;
}

// The findings, missing cases first.
report::ListFindings findings_of(result::JudgedList list, std::optional<result::Completeness> compared,
                                 const CheckRequest& request) {
  report::ListFindings findings{std::move(list), std::move(compared), {}, 0, request.against};
  if (findings.compared)
    findings.mistakes = findings.compared->missing;
  findings.add(findings.list.mistakes, request.allow_extra, request.missing_only);
  return findings;
}

} // namespace

cxxopts::Options check_options() {
  cxxopts::Options options("tmd check",
                           "Checks a list of cases: every entry in MPFR, and whether any case is missing.");
  options.custom_help("FUNCTION LIST [OPTION ...]").positional_help("").set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add_option(options, "bits", "K: the list should have every case closer than 2^-K spacings (default: the list's K)");
  add_option(options, "from", "first argument to check (default: the list's)");
  add_option(options, "to", "end of the range, not itself checked (default: the list's)");
  add_option(options,
             {"x-range", "with a list of an expression of x and y: the range of x (default: the list's)", "FROM:TO"});
  add_option(options, {"y-range", "the range of y", "FROM:TO"});
  add_options_of(options, {request::OptionGroup::format});
  add_option(options, "rounding");
  add_option(options, "values",
             "values as the format has them, or with unbounded exponents: format, unbounded (default: the list's, "
             "else format)");
  add("against", "a list that is complete in the range, instead of a search", text(), "FILE");
  add("values-only", "check the entries only, and search for no missing ones");
  add("missing-only", "look for missing cases only");
  add("allow-extra", "do not count superfluous entries, such as values for tests, as mistakes");
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
  if (const std::optional<int> status = check_pair_list(parsed))
    return *status;
  const CheckRequest request = request_of(parsed);
  SearchSpec spec = spec_of(parsed);
  std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const result::CaseList list = result::read_case_list(request.list);
  result::CaseList reference = request.against ? result::read_complete_list(*request.against) : result::CaseList{};
  result::Agreement agreement(spec, function::function_of(request.function)->name, given_options(parsed));
  agreement.adopt(list.claims, list.name);
  if (request.against)
    agreement.adopt(reference.claims, reference.name);
  const CheckJob check = job_to_check(spec, request, list, reference);
  const job::Job& job = check.job;

  result::JudgedList judged = result::judge_list(list, job, check.range);
  std::optional<result::Completeness> compared;
  if (!request.values_only) {
    if (request.searches())
      reference = search_range(check, spec);
    compared = result::compare_lists(judged, result::judge_list(reference, job, check.range), job);
    if (request.searches() && !compared->extra.empty())
      throw SoundnessError(
          fmt::format("the search has not found {}, which is listed", to_hex(compared->extra.front().found.x)));
  }
  const report::ListFindings findings = findings_of(std::move(judged), std::move(compared), request);
  if (json)
    json->commit(report::list_records(result::first_record("check", result::running_program(),
                                                           {{"function", job.function->name},
                                                            {"format", job.format.name},
                                                            {"argument_precision", job.argument_precision},
                                                            {"rounding", to_string(job.rounding)},
                                                            {"bits", job.K},
                                                            {"list", request.list}}),
                                      findings));
  fmt::print("{}", report::list_table(findings, job));
  return static_cast<int>(findings.mistakes.empty() ? Status::done : Status::unsound);
}

} // namespace tmd::app
