#include "result/search_result.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd::result {

std::optional<Case::Kind> kind_of(const job::Regime& regime) {
  if (regime.rule)
    return Case::Kind::hard;
  return regime.is_exact ? std::optional(Case::Kind::exact) : std::nullopt;
}

namespace {
bool has_open_side(const job::RegimeRange& range) {
  return range.regime.rule && range.regime.rule->side == job::Side::undecided;
}
} // namespace

std::vector<Case> SearchResult::listed_in(const job::Job& job, const job::Coverage& ranks) const {
  std::vector<Case> found;
  for (const Cases* list : {&cases, &exact, &undecided})
    std::copy_if(list->begin(), list->end(), std::back_inserter(found),
                 [&](const Case& one) { return ranks.contains(job.arguments().rank(one.x)); });
  std::sort(found.begin(), found.end(),
            [](const Case& left, const Case& right) { return compare(left.x, right.x) < 0; });
  return found;
}

bool SearchResult::knows(const job::Job& job, const Case& one) const {
  if (one.kind == Case::Kind::exact && exact.unlisted() > 0 && compare(exact.back().x, one.x) < 0)
    return true;
  const format::ArgumentSet::Rank rank = job.arguments().rank(one.x);
  const auto range = std::partition_point(regimes.begin(), regimes.end(),
                                          [&](const job::RegimeRange& before) { return before.ranks.last <= rank; });
  return range != regimes.end() && range->ranks.first <= rank &&
         (has_open_side(*range) || kind_of(range->regime) == one.kind ||
          (range->regime.some && one.kind == Case::Kind::hard && range->is_case(rank)));
}

bool SearchResult::has_undecided() const {
  return !undecided.empty() || std::any_of(regimes.begin(), regimes.end(), has_open_side);
}

uint128 SearchResult::partial_arguments() const {
  uint128 sum = 0;
  job::Coverage known;
  const auto is_free = [](const job::Coverage& ranks, const job::RankInterval& of) {
    return ranks.within(of.first, of.last).empty();
  };
  for (std::size_t i = partial_claims.size(); i-- > 0;) {
    const job::RankInterval& ranks = partial_claims[i].claim.ranks;
    if (!is_free(known, ranks) || !is_free(covered, ranks) || !is_free(left_out, ranks))
      continue;
    known.add(ranks.first, ranks.last);
    sum += partial_claims[i].sums.arguments;
  }
  return sum;
}

void SearchResult::add_work(const PartSums& sums) {
  direct += sums.direct;
  candidates += sums.candidates;
  planning_seconds += sums.planning_seconds;
  tmd::engine::add(stages, sums.stages);
  idle += sums.idle;
}

void SearchResult::close(const job::Job& job, PartialClaim& claim) {
  PartSums sums = std::exchange(claim.sums, {});
  const job::RankInterval& ranks = claim.claim.ranks;
  if (!claim.is_complete() || sums.arguments != claim.claim.size())
    throw SoundnessError(fmt::format("the parts of a stretch of {} arguments from {} on hold {} of them",
                                     tmd::to_string(claim.claim.size()), to_hex(job.arguments().at(ranks.first)),
                                     tmd::to_string(sums.arguments)));
  covered.add(ranks.first, ranks.last);
  add_work(sums);
  sums.found.sort();
  exact.add_unlisted(sums.found.exact.unlisted()); // claims have none: exact cases are few there
  for (const Cases* list : {&sums.found.cases, &sums.found.exact, &sums.found.undecided}) {
    std::optional<Argument> last; // duplicates are neighbours
    for (const Case& one : *list)
      if (!last || tmd::compare(*last, one.x) != 0) {
        last = one.x;
        add(one);
      }
  }
}

void SearchResult::sort() {
  Findings::sort();
  job::join(regimes);
}

uint128 SearchResult::arguments_of_regimes(bool cases) const {
  uint128 sum = 0;
  for (const job::RegimeRange& range : regimes)
    sum += cases ? range.cases() : range.size() - range.cases();
  return sum;
}

uint128 SearchResult::exact_of_regimes() const {
  uint128 sum = 0;
  for (const job::RegimeRange& range : regimes)
    sum += range.regime.is_exact ? range.size() : 0;
  return sum;
}

void record(FieldReport& report, const PartResult& part) {
  report.direct_arguments += part.direct;
  if (!part.plan)
    return;
  report.intervals += part.intervals;
  if (part.plan->ledger.empty() && part.plan->method.empty()) // decided by MPFR
    return;
  if (!report.has_plan())
    report.prices = part.prices;
  report.methods[std::string(part.plan->method)] += part.intervals;
  report.plan.merge(*part.plan);
}

void record_served(FieldReport& report, const PartResult& part) {
  if (!part.plan || part.plan->method.empty())
    return;
  report.methods.try_emplace(std::string(part.plan->method), 0);
  report.plan.merge(*part.plan);
}

} // namespace tmd::result
