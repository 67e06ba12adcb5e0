#include "search/expectation.hpp"

#include "job/companion.hpp"
#include "job/pieces.hpp"
#include "job/regimes.hpp"
#include "polynomial/scaled_function.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tmd {

namespace {

constexpr double fewest_expected = 64;
constexpr double most_deviations = 6;
constexpr double least_slope_range = 0x1p-14; // in spacings an argument, over the field

// |F″| in the middle of the field, times so many arguments; 0 where it is not known.
double slope_range(const Job& job, const Field& field, uint128 arguments) {
  constexpr long precision = 256;
  const ScaledFunction function(*job.function, job.grid(), field.piece());
  Arb index;
  set(index, field.arguments.count / 2);
  ArbVector coefficients(3);
  function.series(coefficients.data(), index, 3, precision);
  const double bend = arf_get_d(arb_midref(coefficients[2]), ARF_RND_NEAR);
  return std::isfinite(bend) ? 2 * std::fabs(bend) * static_cast<double>(arguments) : 0;
}

} // namespace

Survey survey(const Job& job, bool leaves_out, const Claims& claims, const std::function<bool()>& interrupted) {
  Survey result;
  Coverage range = job.range();
  if (const auto beside = beside_companion(job, range)) {
    result.beside = beside->ranks.size();
    range = beside->ranks.complement_in(range);
    for (const Stretch& one : stretches(job.arguments(), beside->reference.first, beside->reference.last))
      result.to_search.push_back(one);
  }
  divide(
      job, range, interrupted,
      [&](const RegimeRange& range) {
        const Regime& regime = range.regime;
        (regime.rule ? result.all_cases : regime.is_exact ? result.exact : result.none) += range.size();
      },
      [&](const Stretch& stretch) {
        const ClaimedParts parts = claimed_parts(claims, stretch);
        const auto add = [&](const Stretch& one) {
          result.rest += one.count;
          result.to_search.push_back(one);
        };
        for (const Field& field : parts.fields)
          add(field.arguments);
        for (const Stretch& left : parts.left)
          if (leaves_out && has_too_many_pieces(job, left))
            result.left_out += left.count;
          else
            add(left);
      });
  result.cases = expected_cases(job, result.rest);
  return result;
}

std::vector<Unexpected> unexpected_counts(const Job& job, const SearchResult& result) {
  struct Counted {
    const Field* field;
    RankInterval ranks;
    uint128 arguments; // of these, that are covered: an interrupted search has fields that are not whole
    double expected;
    std::uint64_t cases = 0;
  };
  std::vector<Counted> counted;
  for (const FieldReport& report : result.fields) {
    const Field& field = report.field;
    const RankInterval ranks = ranks_of(job.arguments(), field.arguments, 0, field.arguments.count);
    uint128 arguments = 0;
    for (const auto& [first, last] : result.covered.within(ranks.first, ranks.last))
      arguments += static_cast<uint128>(last - first);
    const double expected = expected_cases(job, arguments);
    if (field.values() != nullptr && !report.methods.empty() && expected >= fewest_expected)
      counted.push_back({&field, ranks, arguments, expected});
  }
  std::sort(counted.begin(), counted.end(),
            [](const Counted& left, const Counted& right) { return left.ranks.first < right.ranks.first; });
  const ArgumentSet arguments = job.arguments();
  for (const Case& one : result.cases) {
    const ArgumentSet::Rank rank = arguments.rank(one.x);
    const auto behind = std::partition_point(counted.begin(), counted.end(),
                                             [&](const Counted& other) { return other.ranks.first <= rank; });
    if (behind != counted.begin() && rank < std::prev(behind)->ranks.last)
      ++std::prev(behind)->cases;
  }
  std::vector<Unexpected> found;
  for (const auto& [field, ranks, arguments, expected, cases] : counted)
    if (std::fabs(static_cast<double>(cases) - expected) > most_deviations * std::sqrt(expected) &&
        slope_range(job, *field, arguments) >= least_slope_range)
      found.push_back({*field, arguments, cases, expected});
  return found;
}

} // namespace tmd
