// A survey counts what the host can prove; devices are timed with samples of what is left.
#include "run/estimate.hpp"

#include "engine/registry.hpp"
#include "job/stretch.hpp"
#include "run/open_devices.hpp"
#include "search/predicted_time.hpp"
#include "search/workload.hpp"
#include "verify/confirm.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::run {

searches::Survey survey_of(const request::SearchRequest& request) {
  return searches::survey(request.job, request.leaves_out,
                          searches::claims_of(request.job, request.spec.choices, engine::engines()), {});
}

Estimate estimate_of(const request::SearchRequest& request, const searches::Survey& survey) {
  Estimate estimate;
  estimate.arguments = request.job.size();
  estimate.without_case = survey.none;
  estimate.all_cases = survey.all_cases;
  estimate.all_exact = survey.exact;
  estimate.beside = survey.beside;
  estimate.left_out = survey.left_out;
  estimate.to_search = survey.rest;
  estimate.cases = survey.cases;
  return estimate;
}

void predict_time(Estimate& estimate, const request::SearchRequest& request, const searches::Survey& survey,
                  const RemarkHandler& on_remark) {
  constexpr double least_seconds = 0.5; // that are spent on it
  try {
    const std::vector<DeviceChoice> choices = choose_devices(request.spec, on_remark);
    const OpenDevices open = open_devices(request, choices, on_remark);
    engine::EngineSettings settings = engine_settings(request, choices.front(), on_remark);
    settings.choices.joins_claims = true;
    const std::vector<searches::Work> work = searches::predicted_work(request.job, survey.to_search, settings);
    estimate.sampled = static_cast<std::size_t>(std::count_if(
        work.begin(), work.end(), [](const auto& one) { return one.examples != nullptr || !one.is_looked_at; }));
    const searches::TimePrediction time =
        searches::predicted_time(request.job, work, open.workers, settings.costs, least_seconds, {});
    estimate.seconds = time.seconds;
    estimate.is_least = time.is_least;
    for (const result::DeviceUse& use : open.uses)
      estimate.devices.push_back(use.device.name);
  } catch (const DeviceError& error) {
    estimate.why_unknown = error.what();
  }
}

void refuse_values_beyond(const request::SearchRequest& request) {
  const job::Job& job = request.job;
  if (job.grid().is_bounded())
    return;
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  for (const auto& [first, last] : job.range().intervals())
    for (const job::Stretch& stretch : job::stretches(job.arguments(), first, last)) {
      const auto is_beyond = [&](uint128 place) { return confirmation.is_beyond(stretch.argument(place)); };
      uint128 inside = 0;
      uint128 beyond = is_beyond(0) ? 0 : stretch.count - 1;
      if (!is_beyond(beyond))
        continue;
      while (beyond - inside > 1) {
        const uint128 middle = inside + (beyond - inside) / 2;
        (is_beyond(middle) ? beyond : inside) = middle;
      }
      throw UsageError(fmt::format("{}({}) is the first value beyond 2^±{}, which are not searched: choose a smaller "
                                   "range, or --values format, which needs no limit",
                                   job.function->name, to_hex(stretch.argument(beyond)),
                                   function::most_value_exponent));
    }
}

void refuse_too_many_cases(const request::SearchRequest& request) {
  const int most = request.spec.most_cases;
  if (job::expected_cases(request.job) <= most)
    return;
  const searches::Survey found = survey_of(request); // takes time, and can only find fewer
  if (found.cases > most)
    throw UsageError(fmt::format("about {:.2g} cases are to be expected, more than {}: take a larger --bits, or allow "
                                 "them with --most-cases",
                                 found.cases, most));
}

} // namespace tmd::run
