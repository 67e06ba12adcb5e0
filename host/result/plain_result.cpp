// The result owns its data, while a Job only refers to its function.
#include "result/plain_result.hpp"

#include "result/expand.hpp"
#include "result/recorded_search.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd {

JobDescription result::description_of(const job::Job& job) {
  const format::ArgumentSet set = job.arguments();
  return {job.identity(),    job.function->name, job.format, job.argument_precision,  job.rounding, job.values, job.K,
          set.at(job.first), set.at(job.last),   job.size(), job::expected_cases(job)};
}

Result result::plain_result(const job::Job& job, result::SearchResult result) {
  Result plain;
  result::expand(job, result);
  plain.job = result::description_of(job);
  plain.cases = result.cases.to_vector();
  plain.exact = result.exact.to_vector();
  plain.unlisted_exact = result.exact.unlisted() + result.exact_of_regimes();
  plain.undecided = result.undecided.to_vector();
  const format::ArgumentSet set = job.arguments();
  for (const job::RegimeRange& range : result.regimes)
    if (const auto& rule = range.regime.rule)
      plain.ranges.push_back(
          {set.at(range.ranks.first), set.at(range.ranks.last), range.size(), rule->slope, rule->offset});
  plain.arguments = result.arguments();
  plain.seconds = result.seconds;
  return plain;
}

Result read_result(const std::string& file) {
  const result::RecordedSearch search = result::read_search(result::open_result(file));
  if (!search.mistakes.empty())
    throw UsageError(
        fmt::format("'{}', line {}: {}", file, search.mistakes.front().line, search.mistakes.front().sentence));
  Result plain = result::plain_result(search.job(), result::to_search_result(search));
  plain.devices = search.devices;
  return plain;
}

} // namespace tmd
