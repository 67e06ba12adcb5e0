// How an audit searches again: it draws random parts, runs a search of its own on them with the way's algorithm and
// settings, and compares both lists there. An audit by time repeats this with growing parts.

#include "search/audit.hpp"

#include "engine/registry.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::searches {

namespace {

using Means = AuditWay::Means;

constexpr std::size_t parts_at_once = 16;
constexpr std::size_t parts_of_claim = 4;
constexpr std::size_t most_runs = 1024;
constexpr uint128 shortest_run = 64;
constexpr uint128 usual_runs = uint128(1) << 17; // arguments; MPFR decides 10^5 of them a second
// An audit by time begins with few arguments; the next step has this many times as many.
constexpr double growth = 4;
constexpr double most_overdue = 3; // times the seconds asked for
constexpr uint128 first_arguments = uint128(1) << 24;
constexpr uint128 first_of_runs = uint128(1) << 12;
constexpr uint128 most_arguments = uint128(1) << 100; // more than any job has

bool is_before(const Case& left, const Case& right) { return compare(left.x, right.x) < 0; }

void append_difference(const std::vector<Case>& from, const std::vector<Case>& what, std::vector<Case>& to) {
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(to), is_before);
}

uint128 share_of(double share, uint128 all) {
  return share < 1 ? std::min(all, static_cast<uint128>(std::ceil(share * static_cast<double>(all)))) : all;
}

// The first share of a claim. An engine searches a claim in far fewer steps than arguments: the phase walk in their
// number to the power 2/3.
double first_share_of(const engine::Field& claim) {
  constexpr double first_steps = 0x1p19;
  return std::min(1.0, first_steps / std::pow(static_cast<double>(claim.arguments.count), 2.0 / 3));
}

job::RankInterval ranks_of(const job::Job& job, const engine::Field& field) {
  return job::ranks_of(job.arguments(), field.arguments, 0, field.arguments.count);
}

// The place of the claimed argument of that rank in the field's coordinate.
uint128 place_of(const job::Job& job, const engine::Field& field, format::ArgumentSet::Rank rank) {
  const format::ArgumentSet::Rank first = job::ranks_of(job.arguments(), field.arguments, 0, 1).first;
  return field.claim()->place_of(static_cast<std::uint64_t>(rank < first ? first - rank : rank - first));
}

// Parts of a claim's coordinate.
struct PartsOfClaim {
  const engine::Field* field;
  job::RankInterval ranks; // ranks of the whole claim
  job::Coverage places;
};

// Whether the argument of that rank lies in one of these parts of claims, which are sorted by rank.
bool lies_in(const std::vector<PartsOfClaim>& parts, const job::Job& job, format::ArgumentSet::Rank rank) {
  const auto next =
      std::upper_bound(parts.begin(), parts.end(), rank, [](format::ArgumentSet::Rank value, const PartsOfClaim& part) {
        return value < part.ranks.first;
      });
  if (next == parts.begin())
    return false;
  const PartsOfClaim& part = *std::prev(next);
  return rank < part.ranks.last && part.places.contains(static_cast<int128>(place_of(job, *part.field, rank)));
}

// One audit: adds what it compares to the comparison.
class Audit {
public:
  Audit(const job::Job& job, const result::SearchResult& result, const Auditable& what,
        std::span<const std::unique_ptr<Worker>> workers, const engine::Interrupt& interrupted)
      : job_(job), result_(result), what_(what), workers_(workers), interrupted_(interrupted) {}

  AuditComparison run(const AuditWay& way, const AuditSize& size, std::uint64_t seed) {
    random_ = number::Random(seed);
    size_ = size;
    way.means == Means::test ? by_test() : way.means == Means::varied ? by_varied() : by_runs();
    comparison_.report.algorithm = way.algorithm;
    comparison_.report.way = describe(way);
    comparison_.report.seed = seed;
    comparison_.report.seconds = support::seconds_since(start_);
    return std::move(comparison_);
  }

private:
  void by_test() {
    if (size_.share > 0)
      (void)search_some(what_.tested, share_of(size_.share, what_.tested.size()), parts_at_once);
    else
      grow(first_arguments, [&](uint128 count) { return search_some(what_.tested, count, parts_at_once); });
  }

  void by_runs() {
    const job::Coverage& ranks = what_.claimed_ranks;
    const auto search = [&](uint128 count) {
      const auto parts = std::clamp<uint128>(count / shortest_run, 1, most_runs);
      return search_some(ranks, count, static_cast<std::size_t>(parts));
    };
    if (size_.runs > 0)
      (void)search(size_.runs);
    else if (size_.share > 0)
      (void)search(std::min(usual_runs, share_of(size_.share, ranks.size())));
    else
      grow(first_of_runs, search);
  }

  void by_varied() {
    const auto some_of = [&](const engine::Field& field, double share, std::size_t parts) {
      job::Coverage& seen = seen_of_claims_[&field];
      const job::Coverage left = seen.complement_in(job::Coverage(0, static_cast<int128>(field.extent())));
      PartsOfClaim some{&field, ranks_of(job_, field),
                        random_parts(left, share_of(share, field.extent()), parts, random_)};
      seen.add(some.places);
      return some;
    };
    if (size_.share > 0) {
      std::vector<PartsOfClaim> parts;
      for (const engine::Field& field : what_.claimed)
        parts.push_back(some_of(field, size_.share, parts_of_claim));
      (void)search_claims(parts);
    } else {
      std::vector<const engine::Field*> left; // claims that have not been searched completely
      for (const engine::Field& field : what_.claimed)
        left.push_back(&field);
      grow(1, [&](uint128 times) {
        const std::size_t chosen = random_.below(left.size());
        const engine::Field& field = *left[chosen];
        const bool is_done = search_claims({some_of(field, first_share_of(field) * static_cast<double>(times), 1)});
        if (seen_of_claims_[&field].size() == field.extent())
          left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
        return is_done && !left.empty();
      });
    }
  }

  // Calls step with growing counts, until the next one would take too long. The first step's time does not count, for
  // it may compile kernels. Where another test is far slower on some parts, a step is given up.
  template <typename Step> void grow(uint128 count, const Step& step) {
    double last = 0;
    for (bool is_first = true; support::seconds_since(start_) + growth * last < size_.seconds; is_first = false) {
      const double before = support::seconds_since(start_);
      if (!step(count) || comparison_.differs())
        return;
      deadline_ = most_overdue * size_.seconds;
      last = is_first ? 0 : support::seconds_since(start_) - before;
      count = std::min(count * static_cast<uint128>(growth), most_arguments);
    }
  }

  // Searches `count` of these ranks that no earlier step has searched. Returns false when interrupted, or when all have
  // been searched.
  bool search_some(const job::Coverage& of, uint128 count, std::size_t parts) {
    const job::Coverage left = seen_.complement_in(of);
    const job::Coverage ranks = random_parts(left, count, parts, random_);
    seen_.add(ranks);
    SearchHooks hooks;
    hooks.only = &ranks;
    return compare_with(hooks, {}, ranks, ranks.size(), [](const Case& /*one*/) { return true; }) &&
           ranks.size() < left.size();
  }

  // Does so with parts of claims. The rest of each claim is presented as searched before, without cases.
  bool search_claims(const std::vector<PartsOfClaim>& parts) {
    SearchHooks hooks;
    result::SearchResult done;
    job::Coverage ranks;
    std::vector<engine::Field> fields;
    uint128 arguments = 0;
    for (const auto& [field, of_all, places] : parts) {
      result::PartialClaim& partial = done.partial_claims.emplace_back();
      partial.claim = result::ClaimIdentity::of(job_, *field);
      partial.done = places.complement_in(job::Coverage(0, static_cast<int128>(field->extent())));
      for (const auto& [first, last] : partial.done.intervals())
        partial.sums.arguments +=
            field->claim()->arguments_at(static_cast<uint128>(first), static_cast<uint128>(last - first));
      arguments += field->arguments.count - partial.sums.arguments;
      ranks.add(of_all.first, of_all.last);
      fields.push_back(*field);
    }
    hooks.only = &ranks;
    hooks.fields = &fields;
    return compare_with(hooks, std::move(done), ranks, arguments,
                        [&](const Case& one) { return lies_in(parts, job_, job_.arguments().rank(one.x)); });
  }

  // Runs a search with these hooks and compares both ways: what it finds must be in the first result, and what the
  // first result has where `is_searched` must be found.
  template <typename Searched>
  bool compare_with(SearchHooks& hooks, result::SearchResult done, const job::Coverage& ranks, uint128 arguments,
                    const Searched& is_searched) {
    hooks.interrupted = [this] {
      return (interrupted_ && interrupted_()) || support::seconds_since(start_) > deadline_;
    };
    const result::SearchResult again = run_search(job_, workers_, hooks, {}, std::move(done));
    if (again.interrupted)
      return false;
    const std::vector<Case> found = again.listed_in(job_, ranks);
    const std::vector<Case> first = result_.listed_in(job_, ranks);
    std::vector<Case> should_be_listed;
    std::copy_if(found.begin(), found.end(), std::back_inserter(should_be_listed),
                 [&](const Case& one) { return !result_.knows(job_, one); });
    append_difference(should_be_listed, first, comparison_.missing);
    std::vector<Case> should_be_found;
    std::copy_if(first.begin(), first.end(), std::back_inserter(should_be_found),
                 [&](const Case& one) { return is_searched(one) && !again.knows(job_, one); });
    append_difference(should_be_found, found, comparison_.superfluous);
    comparison_.report.arguments += arguments;
    comparison_.report.cases += found.size();
    for (const engine::Stage& stage : again.stages)
      if (stage.counts_planted)
        comparison_.report.planted += stage.tested;
    return true;
  }

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const job::Job& job_;
  const result::SearchResult& result_;
  const Auditable& what_;
  const std::span<const std::unique_ptr<Worker>> workers_;
  const engine::Interrupt& interrupted_;
  double deadline_ = std::numeric_limits<double>::infinity(); // seconds from the start
  AuditSize size_;
  number::Random random_{0};
  job::Coverage seen_;                                           // ranks searched so far
  std::map<const engine::Field*, job::Coverage> seen_of_claims_; // places searched so far, in the claims' coordinates
  AuditComparison comparison_;
};

} // namespace

std::string_view auditing_algorithm(const result::SearchResult& result) {
  const auto kinds = engine::engines();
  const auto has_searched = [&](const engine::EngineKind* kind) {
    return std::any_of(kind->algorithms.begin(), kind->algorithms.end(), [&](std::string_view algorithm) {
      return std::any_of(result.fields.begin(), result.fields.end(),
                         [&](const result::FieldReport& field) { return field.methods.contains(algorithm); });
    });
  };
  const engine::EngineKind* most_general = nullptr; // it alone serves everywhere; used if all have searched
  const std::vector<const engine::EngineKind*> last_first(kinds.rbegin(), kinds.rend());
  for (const engine::EngineKind* kind : last_first) {
    if (!kind->is_general || kind->claim != nullptr)
      continue;
    if (!has_searched(kind))
      return kind->algorithms.front();
    if (most_general == nullptr)
      most_general = kind;
  }
  return most_general->algorithms.front();
}

job::Coverage random_parts(const job::Coverage& range, uint128 count, std::size_t parts, number::Random& random) {
  const uint128 all = range.size();
  if (count >= all)
    return range;
  parts = static_cast<std::size_t>(std::min<uint128>(parts, std::max<uint128>(count, 1)));
  const uint128 length = count / parts;
  const uint128 share = all / parts;
  job::Coverage result;
  for (std::size_t i = 0; i < parts && length > 0; ++i) {
    const uint128 room = share - length;
    const uint128 place = room == 0 ? 0 : (uint128(random.next()) << 64 | random.next()) % (room + 1);
    result.add(range.slice(share * i + place, length));
  }
  return result;
}

Auditable auditable(const job::Job& job, const result::SearchResult& result) {
  Auditable what;
  job::Coverage not_tested = result.left_out;
  for (const job::RegimeRange& range : result.regimes) // in which cases might be found one by one
    not_tested.add(range.ranks.first, range.ranks.last);
  const job::Coverage searched = not_tested.complement_in(job.range());
  if (const Claims claims = claims_of(job, {}, engine::engines()))
    for (const auto& [from, to] : searched.intervals())
      for (const job::Stretch& stretch : job::stretches(job.arguments(), from, to))
        for (engine::Field& field : claimed_parts(claims, stretch).fields) {
          const job::RankInterval ranks = ranks_of(job, field);
          what.claimed_ranks.add(ranks.first, ranks.last);
          what.claimed.push_back(std::move(field));
        }
  std::sort(what.claimed.begin(), what.claimed.end(), [&](const engine::Field& left, const engine::Field& right) {
    return ranks_of(job, left).first < ranks_of(job, right).first;
  });
  what.tested = what.claimed_ranks.complement_in(searched);
  return what;
}

std::string describe(const AuditWay& way) {
  if (way.means == Means::runs)
    return "one by one";
  std::string text = fmt::format("by the {} test", way.algorithm);
  for (const auto& [name, value] : way.tunables)
    text += fmt::format(" {} {}={}", &name == &way.tunables.front().first ? "with" : "and", name, value);
  return text;
}

std::vector<AuditWay> ways_of(const Auditable& what, std::string_view algorithm, const device::Tunables& used,
                              number::Random& random) {
  std::vector<AuditWay> ways;
  if (!what.tested.empty())
    ways.push_back({Means::test, std::string(algorithm)});
  for (const engine::EngineKind* kind : engine::engines())
    if (kind->varied != nullptr &&
        std::any_of(what.claimed.begin(), what.claimed.end(),
                    [&](const engine::Field& field) { return field.is_claimed_by(kind->name); }))
      ways.push_back({Means::varied, std::string(kind->algorithms.front()), kind->varied(used, random)});
  if (!what.claimed.empty())
    ways.push_back({Means::runs, std::string(engine::engines().back()->algorithms.front())});
  return ways;
}

AuditComparison search_again(const job::Job& job, const result::SearchResult& result, const Auditable& what,
                             std::span<const std::unique_ptr<Worker>> workers, const AuditWay& way,
                             const AuditSize& size, std::uint64_t seed, const engine::Interrupt& interrupted) {
  return Audit(job, result, what, workers, interrupted).run(way, size, seed);
}

result::AuditReport audit(const job::Job& job, const result::SearchResult& result, const Auditable& what,
                          std::span<const std::unique_ptr<Worker>> workers, const AuditWay& way, const AuditSize& size,
                          std::uint64_t seed, const engine::Interrupt& interrupted) {
  const AuditComparison comparison = search_again(job, result, what, workers, way, size, seed, interrupted);
  const auto fail = [&](const Case& one, std::string_view found) {
    throw SoundnessError(
        fmt::format("the audit of {} {} {} {}; one of the two is wrong, and nothing of the run can be trusted",
                    job.function->name, comparison.report.way, found, to_hex(one.x)));
  };
  if (!comparison.missing.empty())
    fail(comparison.missing.front(), "has found a case that the search has missed:");
  if (!comparison.superfluous.empty())
    fail(comparison.superfluous.front(), "has missed a case that the search has found:");
  return comparison.report;
}

} // namespace tmd::searches
