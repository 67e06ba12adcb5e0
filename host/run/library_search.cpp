// Implements tmd/job.hpp and tmd/search.hpp: a request, its devices, its journal and its files behind one call.
#include "tmd/search.hpp"

#include "result/plain_result.hpp"
#include "run/estimate.hpp"
#include "run/search_run.hpp"
#include "search/part.hpp"

#include <utility>

namespace tmd {

namespace {

request::SearchRequest request_of(const SearchSpec& spec) {
  request::SearchRequest request = request::resolve(spec);
  searches::cut_to_part(request);
  return request;
}

SearchOutcome outcome_of(const request::SearchRequest& request, const run::SearchRun& run) {
  const result::SearchResult& result = run.result();
  SearchOutcome outcome{result::plain_result(request.job, result), false, {}};
  outcome.cancelled = result.interrupted;
  for (const result::DeviceUse& use : run.description().devices)
    outcome.devices.push_back(use.device.name);
  if (run.journal() != nullptr && run.journal()->has_results())
    outcome.journal = run.journal()->file();
  return outcome;
}

} // namespace

JobDescription describe_job(const JobSpec& spec) {
  SearchSpec search;
  static_cast<JobSpec&>(search) = spec;
  return result::description_of(request_of(search).job);
}

SearchOutcome search(const SearchSpec& spec, const SearchEvents& events) {
  const RemarkHandler on_remark = or_ignore(events.on_remark);
  const request::SearchRequest request = request_of(spec);
  const run::SearchFiles files = run::open_files(run::output_names(spec));
  const std::filesystem::path journal = run::journal_of(spec, files.names);
  run::refuse_too_many_cases(request);
  run::SearchRun run(
      request,
      [&](const opencl::KernelUse& kernels) {
        return run::keep_search(journal, request, files.names, false, kernels, on_remark);
      },
      nullptr, {}, on_remark);
  run.search({events.progress, events.cancelled, events.found});
  if (!run.result().interrupted) {
    run.audit(events.cancelled);
    run::write_files(files, request, run.description(), run.result());
  }
  run::tell_unexpected_counts(request.job, run.result(), on_remark);
  return outcome_of(request, run);
}

Estimate estimate(const SearchSpec& spec, const RemarkHandler& on_remark) {
  const request::SearchRequest request = request_of(spec);
  const searches::Survey survey = run::survey_of(request);
  Estimate estimate = run::estimate_of(request, survey);
  run::predict_time(estimate, request, survey, or_ignore(on_remark));
  return estimate;
}

} // namespace tmd
