// Compares a list of pairs with MPFR and Arb, and with a search of the whole format, or of the ranges.
#include "check_pairs.hpp"

#include "options.hpp"
#include "search_pairs.hpp"
#include "standard_streams.hpp"

#include "pairs/pair_check.hpp"
#include "pairs/pair_search.hpp"
#include "pairs/ranges.hpp"
#include "report/list_report.hpp"
#include "result/case_list.hpp"
#include "result/record.hpp"
#include "run/power_run.hpp"
#include "support/text.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr std::string_view options_of_check[] = {"words",       "format",       "bits",        "rounding",
                                                 "values-only", "missing-only", "allow-extra", "json"};
constexpr std::string_view options_of_ranges[] = {"words",       "format",       "bits",        "rounding",
                                                  "values-only", "missing-only", "allow-extra", "json",
                                                  "x-range",     "y-range",      "device"};

using Ranges = std::array<std::string, 2>;

// The ranges of the command line, or else of the list.
std::optional<Ranges> ranges_of(const cxxopts::ParseResult& parsed, const result::ListClaims& claims) {
  if (parsed.count("x-range") + parsed.count("y-range") == 0)
    return claims.pair_ranges;
  if (parsed.count("x-range") == 0 || parsed.count("y-range") == 0)
    throw UsageError("--x-range and --y-range are given together");
  const Ranges ranges{support::trimmed(values_of(parsed, "x-range").back()),
                      support::trimmed(values_of(parsed, "y-range").back())};
  if (claims.pair_ranges && *claims.pair_ranges != ranges)
    throw UsageError(fmt::format("the list is of x from {} and y from {}: --x-range and --y-range say otherwise",
                                 (*claims.pair_ranges)[0], (*claims.pair_ranges)[1]));
  return ranges;
}

pairs::PairResult search_pairs_of(const pairs::PairJob& job, const SearchSpec& spec) {
  if (!job.ranges)
    return pairs::search_pairs(job, threads_of(spec));
  pairs::check_boxes_serve(job);
  const run::PowerRequest request{job, spec};
  run::refuse_early(request);
  run::PowerRun run(request, nullptr, print_remark);
  run::KeptPowers nothing;
  (void)run.search(nothing, [](const Progress&) {}, {});
  return std::move(run).result();
}

// The findings, missing cases first.
report::ListFindings findings_of(const pairs::JudgedPairs& list, std::vector<result::Mistake> missing,
                                 bool missing_only, bool allow_extra) {
  report::ListFindings findings;
  findings.list.arguments.resize(list.pairs.size());
  findings.list.outside = list.prescribed;
  findings.mistakes = std::move(missing);
  findings.add(list.mistakes, allow_extra, missing_only);
  return findings;
}

} // namespace

std::optional<int> check_pair_list(const cxxopts::ParseResult& parsed) {
  const std::vector<std::string> words = values_of(parsed, "words");
  const function::PairFunction* const known = words.size() == 2 ? function::find_pair_function(words[0]) : nullptr;
  if (words.size() != 2 || (known == nullptr && !is_of_two_variables(words[0])))
    return std::nullopt;
  const result::CaseList list = result::read_case_list(words[1]);
  const std::optional<Ranges> ranges = ranges_of(parsed, list.claims);
  if (!ranges && known == nullptr)
    throw UsageError("an expression of x and y needs a range for each: --x-range FROM:TO --y-range FROM:TO");
  pairs::PairJob job;
  if (ranges)
    job = pairs::job_over_ranges(words[0], *ranges, {}, {});
  else
    job.function = known;
  const function::PairFunction* const function = job.function;
  SearchSpec spec =
      ranges ? spec_of_pairs(parsed, *function, options_of_ranges) : spec_of_pairs(parsed, *function, options_of_check);
  const bool values_only = parsed.count("values-only") != 0;
  const bool missing_only = parsed.count("missing-only") != 0;
  if (values_only && missing_only)
    throw UsageError("--missing-only and --values-only exclude each other");
  std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  result::Agreement(spec, function->name, given_options(parsed)).adopt(list.claims, list.name);
  if (!spec.bits)
    throw UsageError("--bits is missing, and the list does not say from which K on it is complete");
  job.format = find_format(spec.format);
  job.rounding = spec.rounding;
  job.K = *spec.bits;
  pairs::JudgedPairs judged = pairs::judge_pairs(list.pairs, job);
  std::vector<result::Mistake> missing;
  if (!values_only)
    missing = pairs::missing_pairs(judged, job, search_pairs_of(job, spec));
  const report::ListFindings findings =
      findings_of(judged, std::move(missing), missing_only, parsed.count("allow-extra") != 0);
  if (json)
    json->commit(report::list_records(result::first_record("check", result::running_program(),
                                                           {{"function", function->name},
                                                            {"format", job.format.name},
                                                            {"argument_precision", job.format.precision},
                                                            {"rounding", to_string(job.rounding)},
                                                            {"bits", job.K},
                                                            {"list", words[1]}}),
                                      findings));
  fmt::print("{}", report::list_table(findings, job::Job{}));
  return static_cast<int>(findings.mistakes.empty() ? Status::done : Status::unsound);
}

} // namespace tmd::app
