#include "report/tally.hpp"

#include "job/pieces.hpp"
#include "job/scaling.hpp"
#include "result/record.hpp"
#include "result/records.hpp"
#include "search/binade_counts.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace tmd::report {

namespace {

result::Json binade_record(const searches::BinadeTally& tally) {
  return result::plain_record("binade", {{"first", to_hex(tally.arguments.argument(0))},
                                         {"last", to_hex(tally.arguments.argument(tally.arguments.count - 1))},
                                         {"cases", tally.cases},
                                         {"midpoints", tally.midpoints},
                                         {"exact", result::to_json(uint128(tally.exact))},
                                         {"fair", tally.is_fair}});
}

job::Coverage covered(const result::RecordedSearch& result) {
  job::Coverage left_out;
  for (const result::LeftOutEntry& one : result.left_out)
    left_out.add(one.ranks.first, one.ranks.last);
  return left_out.complement_in(result.job().range());
}

} // namespace

std::string tally_record(const job::Job& job) {
  const format::ArgumentSet arguments = job.arguments();
  const job::RankInterval domain = job::ranks_in_domain(job.function->domain, arguments);
  result::Json decisive = nullptr;
  for (const auto& [first, last] : job::decisive_ranks(job).intervals())
    decisive.push_back({to_hex(arguments.at(first)), to_hex(arguments.at(last))});
  return result::record_line(result::first_record(
      "tally", result::running_program(),
      {{"from", to_hex(arguments.at(domain.first))},
       {"to", to_hex(arguments.at(domain.last))},
       {"symmetry", result::to_json(job.function->symmetry)},
       {"scaling",
        job.function->scaling ? result::Json(function::to_string(*job.function->scaling)) : result::Json(nullptr)},
       {"decisive", decisive},
       {"job", job.identity()},
       {"values", to_string(job.values)}}));
}

job::Job job_to_publish(const result::RecordedSearch& result) {
  job::Job job = result.job();
  if (job.values == Values::unbounded && job::stays_within_bounds(job, covered(result)))
    job.values = Values::format;
  return job;
}

std::string binade_records(const result::RecordedSearch& result) {
  const job::Job& job = result.job();
  job::Coverage in_regimes;
  for (const result::RegimeEntry& one : result.regimes)
    in_regimes.add(one.range.ranks.first, one.range.ranks.last);
  const job::Coverage searched = in_regimes.complement_in(covered(result));
  std::vector<Case> hard;
  for (const result::FoundEntry& one : result.found)
    if (one.kind == Case::Kind::hard)
      hard.push_back(result::case_of(one));
  const searches::EachArgument exact = [&](const auto& use) {
    for (const result::FoundEntry& one : result.found)
      if (one.kind == Case::Kind::exact)
        use(one.x);
  };
  std::string text;
  for (const searches::BinadeTally& one : searches::tally_binades(job, searched, hard, exact, result.lists_exact()))
    text += result::record_line(binade_record(one));
  return text;
}

std::string listed_records(const job::Job& job, std::string_view list, std::string_view name) {
  const verify::Confirmation confirmation(*job.function, job.grid(), job.K);
  const format::ArgumentSet arguments = job.arguments();
  std::string text;
  while (!list.empty()) {
    const std::string_view line = list.substr(0, list.find('\n'));
    list.remove_prefix(std::min(line.size() + 1, list.size()));
    if (line.empty() || line.front() == '#')
      continue;
    const auto found = confirmation.confirm(arguments.at(arguments.parse(line, name)));
    if (!found || found->kind != Case::Kind::hard)
      throw UsageError(fmt::format("'{}': {} is not a hard-to-round case of {}", name, line, job.function->name));
    text += result::record_line(result::case_record(*found, result::four_decimals(found->bits)));
  }
  return text;
}

} // namespace tmd::report
