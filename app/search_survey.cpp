#include "search_survey.hpp"

#include "standard_streams.hpp"

#include "report/progress.hpp"
#include "result/cases.hpp"
#include "result/wc.hpp"
#include "run/estimate.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::app {

namespace {

// A part's exact cases and all that are known by then, up to twice as many as are listed before they are sorted; and as
// text, a line of the journal.
constexpr std::size_t bytes_of_exact = 4 * sizeof(Case) + 150;

// The facts that a dry run prints.
std::string survey_table(const request::SearchRequest& request, const Estimate& estimate) {
  const auto row = [](std::string_view name, uint128 arguments, std::string_view what) {
    return fmt::format("  {:<12}{:>26} {}\n", name, to_string(arguments), what);
  };
  return fmt::format("{}\n", result::describe(request)) + row("arguments", estimate.arguments, "") +
         row("proven", estimate.without_case, "in ranges without a case") +
         row("", estimate.all_cases, "in ranges of which every one is a case") +
         (estimate.all_exact > 0 ? row("", estimate.all_exact, "in ranges of which every one is an exact case") : "") +
         (estimate.beside > 0 ? row("", estimate.beside, "in ranges whose cases are those of one binade") : "") +
         (estimate.left_out > 0 ? row("left out", estimate.left_out, "where values change too fast: PARTIAL") : "") +
         row("to search", estimate.to_search, fmt::format("with about {:.0f} cases", estimate.cases)) +
         fmt::format(
             "  {:<12}{:>26} for these, and {:.0f} MB at most for exact ones\n", "memory",
             fmt::format("{:.0f} MB", estimate.cases * sizeof(Case) / 1e6),
             static_cast<double>(std::min<uint128>(estimate.to_search, result::most_listed_exact) * bytes_of_exact) /
                 1e6);
}

// How long it would take on its devices.
std::string time_row(const Estimate& estimate, const searches::Survey& survey) {
  const std::string what =
      estimate.seconds
          ? fmt::format("{} {} on {}, by what parts of it take{}", estimate.is_least ? "more than" : "about",
                        report::duration(*estimate.seconds), fmt::join(estimate.devices, ", "),
                        estimate.sampled > 0 ? fmt::format("; {} of {} stretches were looked at in part or not at all",
                                                           estimate.sampled, survey.to_search.size())
                                             : "")
          : fmt::format("not known: {}", estimate.why_unknown);
  return fmt::format("  {:<12}{:>26} {}\n", "time", "", what);
}

} // namespace

bool survey_before(const request::SearchRequest& request) {
  run::refuse_values_beyond(request);
  if (!request.spec.dry_run) {
    run::refuse_too_many_cases(request);
    return false;
  }
  const searches::Survey survey = run::survey_of(request);
  Estimate estimate = run::estimate_of(request, survey);
  fmt::print("{}", survey_table(request, estimate));
  flush_output();
  run::predict_time(estimate, request, survey, print_remark);
  fmt::print("{}", time_row(estimate, survey));
  return true;
}

} // namespace tmd::app
