#include "search_child.hpp"

#include "run_child.hpp"

#include "tmd/error.hpp"

#include <limits>

#include <fmt/format.h>

namespace tmd::app {

CaseList search_in_child(const Job& job, const std::vector<std::string>& devices, std::string_view purpose) {
  const ArgumentSet set = job.arguments();
  std::vector<std::string> arguments{"search",
                                     job.function->name,
                                     "--from",
                                     to_hex(set.at(job.first)),
                                     "--to",
                                     to_hex(set.at(job.last)),
                                     "--format",
                                     job.format.name,
                                     "--argument-precision",
                                     std::to_string(job.argument_precision),
                                     "--rounding",
                                     std::string(to_string(job.rounding)),
                                     "--values",
                                     std::string(to_string(job.values)),
                                     "--bits",
                                     std::to_string(job.bits),
                                     "--quiet",
                                     "--json",
                                     child_records};
  for (const std::string& selector : devices) {
    arguments.emplace_back("--device");
    arguments.push_back(selector);
  }
  const ChildEnd end = run_child(arguments, std::numeric_limits<double>::infinity());
  if (!end.done())
    throw Error(end.kind == ChildEnd::Kind::exited ? static_cast<Status>(end.number) : Status::device,
                fmt::format("the search for {} has failed: {}", purpose, end.sentence()));
  return parse_case_list(end.records, "the search's records");
}

} // namespace tmd::app
