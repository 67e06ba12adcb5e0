#include "search_survey.hpp"

#include "standard_streams.hpp"

#include "engine/registry.hpp"
#include "report/progress.hpp"
#include "run/open_devices.hpp"
#include "search/expectation.hpp"
#include "search/workload.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// What a dry run tells.
std::string survey_table(const Job& job, const Survey& survey) {
  const auto row = [](std::string_view name, uint128 arguments, std::string_view what) {
    return fmt::format("  {:<12}{:>26} {}\n", name, to_string(arguments), what);
  };
  return fmt::format("{}\n", job.identity()) + row("arguments", job.size(), "") +
         row("proven", survey.none, "in ranges without a case") +
         row("", survey.all_cases, "in ranges of which every one is a case") +
         (survey.left_out > 0 ? row("left out", survey.left_out, "where values change too fast: PARTIAL") : "") +
         row("to search", survey.rest, fmt::format("with about {:.0f} cases", survey.cases)) +
         fmt::format("  {:<12}{:>26} for these, and {:.0f} MB at most for exact ones\n", "memory",
                     fmt::format("{:.0f} MB", survey.cases * sizeof(Case) / 1e6),
                     static_cast<double>(most_listed_exact * sizeof(Case)) / 1e6);
}

// How long it would take on its devices, by some of it; how many seconds are spent on that.
std::string time_row(const SearchRequest& request, const Survey& survey) {
  constexpr double least_seconds = 0.5;
  const auto row = [](const std::string& text) { return fmt::format("  {:<12}{:>26} {}\n", "time", "", text); };
  try {
    const std::vector<DeviceChoice> choices = choose_devices(request.spec, print_remark);
    const OpenDevices open = open_devices(request, choices, print_remark);
    const EngineSettings settings = engine_settings(request, choices.front(), print_remark);
    const TimePrediction time = predicted_time(request.job, predicted_work(request.job, survey.to_search, settings),
                                               open.workers, settings.costs, least_seconds, {});
    std::string names;
    for (const DeviceUse& use : open.uses)
      names += (names.empty() ? "" : ", ") + use.device.name;
    return row(fmt::format("{} {} on {}, by what parts of it take", time.is_least ? "more than" : "about",
                           duration(time.seconds), names));
  } catch (const DeviceError& error) {
    return row(fmt::format("not known: {}", error.what()));
  }
}

} // namespace

bool survey_before(const SearchRequest& request) {
  const Job& job = request.job;
  const int most_cases = request.spec.most_cases;
  if (request.spec.dry_run || expected_cases(job) > most_cases) { // a survey takes time, and can only find fewer
    const Survey before = survey(job, request.is_whole, claims_of(job, request.spec.choices, engines()), {});
    if (request.spec.dry_run) {
      fmt::print("{}", survey_table(job, before));
      flush_output();
      fmt::print("{}", time_row(request, before));
      return true;
    }
    if (before.cases > most_cases)
      throw UsageError(fmt::format("about {:.2g} cases are to be expected, more than {}: take a larger --bits, or "
                                   "allow them with --most-cases",
                                   before.cases, most_cases));
  }
  return false;
}

} // namespace tmd::app
