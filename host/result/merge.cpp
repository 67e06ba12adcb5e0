// Parts are added one by one. If two parts have searched the same arguments, their findings are compared, whether a
// case is listed or follows from its range.
#include "result/merge.hpp"

#include "result/record.hpp"
#include "result/wc.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd::result {

namespace {

// The arguments of ranges that contain only cases of one kind and are not listed one by one.
template <typename Condition> job::Coverage ranks_in_ranges_if(const SearchResult& result, const Condition& holds) {
  job::Coverage ranks;
  for (const job::RegimeRange& range : result.regimes)
    if (holds(range.regime))
      ranks.add(range.ranks.first, range.ranks.last);
  return ranks;
}
job::Coverage ranks_in_ranges(const SearchResult& result, Case::Kind kind) {
  return ranks_in_ranges_if(result, [&](const job::Regime& regime) { return result::kind_of(regime) == kind; });
}
// The arguments of ranges that contain some cases and are not listed one by one.
job::Coverage ranks_with_some(const SearchResult& result) {
  return ranks_in_ranges_if(result, [](const job::Regime& regime) { return regime.some != nullptr; });
}

bool are_same(const Case& left, const Case& right) {
  return compare(left.x, right.x) == 0 && left.kind == right.kind && left.breakpoint == right.breakpoint &&
         (left.kind != Case::Kind::hard || four_decimals(left.bits) == four_decimals(right.bits));
}

// The ranks of hard cases among these, in increasing order, whether listed or following from a range.
std::vector<format::ArgumentSet::Rank> hard_in(const job::Job& job, const SearchResult& result,
                                               const job::RankInterval& ranks) {
  std::vector<format::ArgumentSet::Rank> found;
  for (const Case& one : result.listed_in(job, job::Coverage(ranks.first, ranks.last)))
    if (one.kind == Case::Kind::hard)
      found.push_back(job.arguments().rank(one.x));
  for (const job::RegimeRange& range : result.regimes) {
    const job::RankInterval both{std::max(ranks.first, range.ranks.first), std::min(ranks.last, range.ranks.last)};
    if (!range.regime.some || both.first >= both.last)
      continue;
    const auto more = range.regime.some->in(both);
    found.insert(found.end(), more.begin(), more.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

// The first element that only one of the two has.
std::optional<format::ArgumentSet::Rank> first_difference(const std::vector<format::ArgumentSet::Rank>& left,
                                                          const std::vector<format::ArgumentSet::Rank>& right) {
  const auto [one, other] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  if (one == left.end() && other == right.end())
    return std::nullopt;
  return one == left.end() ? *other : other == right.end() ? *one : std::min(*one, *other);
}

// If one result has a range with some cases, the other must have the same range or list the same cases. Returns the
// first case that only one of them has.
std::optional<format::ArgumentSet::Rank> difference_of_some(const job::Job& job, const job::Coverage& both,
                                                            const SearchResult& ranged, const SearchResult& other) {
  for (const job::RegimeRange& range : ranged.regimes) {
    if (!range.regime.some)
      continue;
    const job::Coverage same =
        ranks_in_ranges_if(other, [&](const job::Regime& regime) { return regime == range.regime; });
    for (const auto& [first, last] : both.within(range.ranks.first, range.ranks.last)) {
      const job::Coverage ranks(first, last);
      for (const auto& rest : same.intersection(ranks).complement_in(ranks).intervals())
        if (const auto rank = first_difference(range.regime.some->in({rest.first, rest.last}),
                                               hard_in(job, other, {rest.first, rest.last})))
          return rank;
    }
  }
  return std::nullopt;
}

[[noreturn]] void fail(const std::string& name, const Argument& x, std::string_view what) {
  throw SoundnessError(
      fmt::format("'{}' and what was read before have both searched {}, but {}", name, to_hex(x), what));
}

// The last listed exact case, if later ones are only counted; nothing if all are listed.
std::optional<Argument> last_listed(const SearchResult& result) {
  return result.exact.unlisted() > 0 ? std::optional(result.exact.back().x) : std::nullopt;
}

} // namespace

void Merge::require_same_job(const MergePart& part) const {
  const MergePart& first = parts_.front();
  if (job::without_range(part.owned.job).identity() != job::without_range(first.owned.job).identity())
    throw UsageError(fmt::format("'{}' is of another job than '{}': {}, and not {}", part.name, first.name,
                                 describe(part.owned.job), describe(first.owned.job)));
  if (const auto others = others_than(first.programs.front(), part.programs); !others.empty() && !other_version_)
    throw UsageError(fmt::format("'{}' was found by {}, and '{}' by {}: merge both with --other-version", part.name,
                                 to_string(others), first.name, to_string(first.programs.front())));
  if (part.shard && first.shard && (part.shard->first != first.shard->first || part.shard->last != first.shard->last))
    throw UsageError(fmt::format("'{}' and '{}' are shards of different ranges", part.name, first.name));
}

// Compares what both have covered, whether a case is listed or follows from its range.
void Merge::compare(const std::string& name, const SearchResult& result) const {
  const job::Job& job = parts_.front().owned.job;
  const format::ArgumentSet arguments = job.arguments();
  const job::Coverage both = result_.covered.intersection(result.covered);
  if (both.empty())
    return;
  format::ArgumentSet::Rank end = both.intervals().back().last; // beyond it, one of them only counts exact cases
  for (const auto& last : {listed_until_, last_listed(result_), last_listed(result)})
    if (last)
      end = std::min(end, arguments.rank(*last) + 1);

  const auto one_by_one = [&](const SearchResult& of) {
    job::Coverage ranged = ranks_in_ranges(of, Case::Kind::hard);
    ranged.add(ranks_in_ranges(of, Case::Kind::exact));
    ranged.add(ranks_with_some(of));
    return both.intersection(ranged).complement_in(both);
  };
  const job::Coverage listed = one_by_one(result_).intersection(one_by_one(result));
  const auto listed_of = [&](const SearchResult& of) {
    std::vector<Case> cases = of.listed_in(job, listed);
    std::erase_if(cases,
                  [&](const Case& one) { return one.kind == Case::Kind::exact && arguments.rank(one.x) >= end; });
    return cases;
  };
  const std::vector<Case> left = listed_of(result_);
  const std::vector<Case> right = listed_of(result);
  const auto differing = std::mismatch(left.begin(), left.end(), right.begin(), right.end(), are_same);
  if (differing.first != left.end() || differing.second != right.end()) {
    const bool is_left = differing.second == right.end() ||
                         (differing.first != left.end() && tmd::compare(differing.first->x, differing.second->x) <= 0);
    fail(name, is_left ? differing.first->x : differing.second->x, "give different results for it");
  }
  // If one result has a range of cases, the other must have the same range or list every case of it.
  const auto check = [&](const SearchResult& ranged, const SearchResult& other, Case::Kind kind) {
    const job::Coverage all = both.intersection(ranks_in_ranges(ranged, kind));
    const job::Coverage apart = all.intersection(ranks_in_ranges(other, kind)).complement_in(all);
    const std::vector<Case> found = other.listed_in(job, apart);
    std::size_t next = 0;
    for (const auto& [first, last] : apart.intervals())
      for (format::ArgumentSet::Rank rank = first; rank < (kind == Case::Kind::exact ? std::min(last, end) : last);
           ++rank, ++next)
        if (next == found.size() || arguments.rank(found[next].x) != rank || found[next].kind != kind)
          fail(name, arguments.at(rank), "only one of them has it among its cases");
  };
  for (const Case::Kind kind : {Case::Kind::hard, Case::Kind::exact}) {
    check(result_, result, kind);
    check(result, result_, kind);
  }
  for (const auto& [ranged, other] : {std::pair(&result_, &result), std::pair(&result, &result_)})
    if (const auto rank = difference_of_some(job, both, *ranged, *other))
      fail(name, arguments.at(*rank), "only one of them has it among its cases");
}

void Merge::add(const MergePart& part) {
  if (!parts_.empty())
    require_same_job(part);
  parts_.push_back({part.name, part.programs, part.owned, part.shard, {}});
  for (const Program& one : part.programs)
    add_program(programs_, one);
  compare(part.name, part.result);

  const SearchResult& more = part.result;
  const job::Coverage fresh = result_.covered.intersection(more.covered).complement_in(more.covered);
  for (const auto* list : {&more.cases, &more.exact, &more.undecided})
    for (const Case& one : *list)
      if (fresh.contains(part.owned.job.arguments().rank(one.x)))
        result_.add(one);
  if (const auto end = last_listed(more)) {
    const auto both = result_.covered.intersection(more.covered).intervals();
    const format::ArgumentSet arguments = part.owned.job.arguments();
    if (!both.empty() && both.back().last > arguments.rank(*end))
      throw UsageError(
          fmt::format("'{}' has searched {} and more that was searched before, but only counts the exact cases "
                      "there: leave one out, or merge parts that do not overlap",
                      part.name, to_hex(arguments.at(both.back().first))));
    result_.exact.add_unlisted(more.exact.unlisted());
    if (!listed_until_ || tmd::compare(*end, *listed_until_) < 0)
      listed_until_ = end;
  }
  result_.exact.sort();
  for (const job::RegimeRange& range : more.regimes)
    for (const auto& [first, last] : fresh.within(range.ranks.first, range.ranks.last))
      result_.regimes.push_back({{first, last}, range.regime});
  result_.covered.add(fresh);
  const job::Coverage left_out = result_.left_out.intersection(more.left_out).complement_in(more.left_out);
  result_.left_out.add(left_out);
  result_.candidates += more.candidates;
  result_.direct += more.direct;
  result_.planning_seconds += more.planning_seconds;
  result_.seconds += more.seconds;
  tmd::engine::add(result_.stages, more.stages);
  result_.idle += more.idle;
}

job::Job Merge::job() const {
  job::Job job = parts_.front().owned.job;
  for (const MergePart& part : parts_) {
    job.first = std::min(job.first, part.shard ? part.shard->first : part.owned.job.first);
    job.last = std::max(job.last, part.shard ? part.shard->last : part.owned.job.last);
    job.by_scaling = job.by_scaling && part.owned.job.by_scaling;
  }
  return job;
}

SearchResult Merge::result() const {
  SearchResult result = result_;
  // Arguments that one part left out may be covered by another.
  result.left_out = result.left_out.intersection(result.covered).complement_in(result.left_out);
  job::Coverage known = result.covered;
  known.add(result.left_out);
  result.gaps = known.complement_in(job().range());
  result.sort();
  return result;
}

} // namespace tmd::result
