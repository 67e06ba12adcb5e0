#include "search_child.hpp"

#include "run_child.hpp"

#include "tmd/error.hpp"

#include <limits>

#include <fmt/format.h>

namespace tmd::app {

result::CaseList search_in_child(const job::Job& job, const std::vector<std::string>& devices,
                                 std::string_view purpose) {
  const format::ArgumentSet set = job.arguments();
  SearchSpec spec;
  spec.functions = {job.function->name};
  spec.from = to_hex(set.at(job.first));
  spec.to = to_hex(set.at(job.last));
  spec.format = job.format.name;
  spec.argument_precision = job.argument_precision;
  spec.rounding = job.rounding;
  spec.values = job.values;
  spec.bits = job.K;
  spec.devices = devices;
  const ChildEnd end = run_search({spec}, std::numeric_limits<double>::infinity());
  if (!end.has_ended()) // arguments may be undecided; none are left out of a range from X to Y
    throw Error(end.kind == ChildEnd::Kind::exited ? static_cast<Status>(end.number) : Status::device,
                fmt::format("the search for {} has failed: {}", purpose, end.sentence()));
  return result::parse_case_list(end.records, "the search's records");
}

} // namespace tmd::app
