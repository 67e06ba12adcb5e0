// tmd/job.hpp and tmd/search.hpp: a request, its devices, its journal and its files, behind one call.
#include "tmd/search.hpp"

#include "result/plain_result.hpp"
#include "run/estimate.hpp"
#include "run/search_run.hpp"
#include "search/part.hpp"

#include <utility>

namespace tmd {

namespace {

SearchRequest request_of(const SearchSpec& spec) {
  SearchRequest request = resolve(spec);
  cut_to_part(request);
  return request;
}

SearchOutcome outcome_of(const SearchRequest& request, const SearchRun& run) {
  const SearchResult& result = run.result();
  SearchOutcome outcome{plain_result(request.job, result), false, {}};
  outcome.cancelled = result.interrupted;
  for (const DeviceUse& use : run.description().devices)
    outcome.devices.push_back(use.device.name);
  if (run.journal() != nullptr && run.journal()->has_results())
    outcome.journal = run.journal()->file();
  return outcome;
}

} // namespace

JobDescription describe_job(const JobSpec& spec) {
  SearchSpec search;
  static_cast<JobSpec&>(search) = spec;
  return description_of(request_of(search).job);
}

SearchOutcome search(const SearchSpec& spec, const SearchEvents& events) {
  const Tell tell = or_nobody(events.tell);
  const SearchRequest request = request_of(spec);
  const SearchFiles files = open_files(output_names(spec));
  const std::filesystem::path journal = journal_of(spec, files.names);
  refuse_too_many_cases(request);
  SearchRun run(
      request,
      [&](const opencl::KernelUse& kernels) {
        return keep_search(journal, request, files.names, false, kernels, tell);
      },
      nullptr, nullptr, tell);
  run.search({events.progress, events.cancelled, events.found});
  if (!run.result().interrupted) {
    run.audit(events.cancelled);
    write_files(files, request, run.description(), run.result());
  }
  tell_unexpected_counts(request.job, run.result(), tell);
  return outcome_of(request, run);
}

Estimate estimate(const SearchSpec& spec, const Tell& tell) {
  const SearchRequest request = request_of(spec);
  const Survey survey = survey_of(request);
  Estimate estimate = estimate_of(request, survey);
  predict_time(estimate, request, survey, or_nobody(tell));
  return estimate;
}

} // namespace tmd
