#include "search/audit.hpp"

#include "engine/registry.hpp"
#include "error.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr std::size_t parts_at_once = 16;
constexpr uint128 first_arguments = uint128(1) << 24; // of an audit by time; then fourfold

void compare_cases(AuditComparison& comparison, const std::vector<Case>& first, const std::vector<Case>& again) {
  const auto before = [](const Case& left, const Case& right) { return compare(left.x, right.x) < 0; };
  std::set_difference(again.begin(), again.end(), first.begin(), first.end(), std::back_inserter(comparison.missing),
                      before);
  std::set_difference(first.begin(), first.end(), again.begin(), again.end(),
                      std::back_inserter(comparison.superfluous), before);
}

} // namespace

std::string_view auditing_algorithm(const SearchResult& result) {
  const auto kinds = engines();
  const auto has_searched = [&](const EngineKind* kind) {
    return std::any_of(kind->algorithms.begin(), kind->algorithms.end(), [&](std::string_view algorithm) {
      return std::any_of(result.fields.begin(), result.fields.end(),
                         [&](const FieldReport& field) { return field.methods.contains(algorithm); });
    });
  };
  const EngineKind* most_general = nullptr; // which alone serves everywhere; where all have searched
  const std::vector<const EngineKind*> last_first(kinds.rbegin(), kinds.rend());
  for (const EngineKind* kind : last_first) {
    if (!kind->is_general || kind->claim != nullptr)
      continue;
    if (!has_searched(kind))
      return kind->algorithms.front();
    if (most_general == nullptr)
      most_general = kind;
  }
  return most_general->algorithms.front();
}

Coverage random_parts(const Coverage& range, uint128 count, std::size_t parts, Random& random) {
  const uint128 all = range.size();
  count = std::min(count, all);
  parts = static_cast<std::size_t>(std::min<uint128>(parts, std::max<uint128>(count, 1)));
  const uint128 length = count / parts;
  const uint128 share = all / parts;
  Coverage result;
  for (std::size_t i = 0; i < parts && length > 0; ++i) {
    const uint128 room = share - length;
    const uint128 place = room == 0 ? 0 : (uint128(random.next()) << 64 | random.next()) % (room + 1);
    result.add(range.slice(share * i + place, length));
  }
  return result;
}

AuditComparison search_again(const Job& job, const SearchResult& result,
                             std::span<const std::unique_ptr<Worker>> workers, std::string_view algorithm,
                             const AuditSize& size, std::uint64_t seed, const Interrupt& interrupted) {
  const auto start = std::chrono::steady_clock::now();
  AuditComparison comparison;
  AuditReport& report = comparison.report;
  report.algorithm = algorithm;
  Random random(seed);
  // Neither what is left out nor regimes, of which parts might be cases one by one.
  Coverage settled = result.left_out;
  for (const RegimeRange& range : result.regimes)
    settled.add(range.ranks.first, range.ranks.last);
  // Nor what an engine claims on any device: others hardly serve there.
  if (const Claims claims = claims_of(job, {}, engines()))
    for (const auto& [from, to] : job.range().intervals())
      for (const Stretch& stretch : stretches(job.arguments(), from, to))
        for (const Field& field : claimed_parts(claims, stretch).fields) {
          const RankInterval ranks = ranks_of(job.arguments(), field.arguments, 0, field.arguments.count);
          const Coverage claimed(ranks.first, ranks.last);
          settled.add(settled.intersection(claimed).complement_in(claimed));
        }
  const Coverage searched = settled.complement_in(job.range());
  const auto search_parts = [&](uint128 count) {
    const Coverage parts = random_parts(searched, count, parts_at_once, random);
    SearchHooks hooks;
    hooks.interrupted = interrupted;
    hooks.only = &parts;
    const SearchResult again = run_search(job, workers, hooks);
    if (again.interrupted)
      return false;
    const std::vector<Case> found = again.listed_in(job, parts);
    compare_cases(comparison, result.listed_in(job, parts), found);
    report.arguments += parts.size();
    report.cases += found.size();
    return true;
  };
  if (size.share > 0) {
    (void)search_parts(static_cast<uint128>(std::ceil(size.share * static_cast<double>(searched.size()))));
  } else {
    constexpr double growth = 4;
    double last = 0;
    for (uint128 count = first_arguments; seconds_since(start) + growth * last < size.seconds; count *= 4) {
      const double before = seconds_since(start);
      if (!search_parts(count) || count >= searched.size() || comparison.differs())
        break;
      last = seconds_since(start) - before;
    }
  }
  report.seconds = seconds_since(start);
  return comparison;
}

AuditReport audit(const Job& job, const SearchResult& result, std::span<const std::unique_ptr<Worker>> workers,
                  std::string_view algorithm, const AuditSize& size, std::uint64_t seed, const Interrupt& interrupted) {
  const AuditComparison comparison = search_again(job, result, workers, algorithm, size, seed, interrupted);
  const auto fail = [&](const Case& one, std::string_view what) {
    throw SoundnessError(
        fmt::format("the audit of {} by the {} test {} {}; one of the two is wrong, and nothing of the "
                    "run can be trusted",
                    job.function->name, algorithm, what, to_hex(one.x)));
  };
  if (!comparison.missing.empty())
    fail(comparison.missing.front(), "has found a case that the search has missed:");
  if (!comparison.superfluous.empty())
    fail(comparison.superfluous.front(), "has missed a case that the search has found:");
  return comparison.report;
}

} // namespace tmd
