// Compares a list of pairs with MPFR and Arb, and with a search of the whole format.
#include "check_pairs.hpp"

#include "options.hpp"
#include "search_pairs.hpp"
#include "standard_streams.hpp"

#include "pairs/pair_check.hpp"
#include "pairs/pair_search.hpp"
#include "report/list_report.hpp"
#include "result/case_list.hpp"
#include "result/record.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr std::string_view options_of_check[] = {"words",       "format",       "bits",        "rounding",
                                                 "values-only", "missing-only", "allow-extra", "json"};

// The findings, missing cases first.
report::ListFindings findings_of(pairs::JudgedPairs list, std::vector<result::Mistake> missing, bool missing_only,
                                 bool allow_extra) {
  report::ListFindings findings;
  findings.list.arguments.resize(list.pairs.size());
  findings.list.outside = list.prescribed;
  findings.mistakes = std::move(missing);
  for (result::Mistake& one : list.mistakes)
    if (allow_extra && one.kind == result::Mistake::Kind::superfluous)
      ++findings.allowed;
    else if (!missing_only)
      findings.mistakes.push_back(std::move(one));
  return findings;
}

} // namespace

std::optional<int> check_pair_list(const cxxopts::ParseResult& parsed) {
  const std::vector<std::string> words = values_of(parsed, "words");
  const function::PairFunction* function = words.size() == 2 ? function::find_pair_function(words[0]) : nullptr;
  if (function == nullptr)
    return std::nullopt;
  SearchSpec spec = spec_of_pairs(parsed, *function, options_of_check);
  const bool values_only = parsed.count("values-only") != 0;
  const bool missing_only = parsed.count("missing-only") != 0;
  if (values_only && missing_only)
    throw UsageError("--missing-only and --values-only exclude each other");
  std::optional<support::AtomicFile> json = open_file(parsed, "json");
  print_no_tables_beside({&json});
  const result::CaseList list = result::read_case_list(words[1]);
  result::Agreement(spec, function->name, given_options(parsed)).adopt(list.claims, list.name);
  if (!spec.bits)
    throw UsageError("--bits is missing, and the list does not say from which K on it is complete");
  const pairs::PairJob job{function, find_format(spec.format), spec.rounding, *spec.bits};
  pairs::JudgedPairs judged = pairs::judge_pairs(list.pairs, job);
  std::vector<result::Mistake> missing;
  if (!values_only)
    missing = pairs::missing_pairs(judged, job, pairs::search_pairs(job, threads_of(spec)));
  const report::ListFindings findings =
      findings_of(std::move(judged), std::move(missing), missing_only, parsed.count("allow-extra") != 0);
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
