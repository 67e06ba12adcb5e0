#include "search/expectation.hpp"

#include "job/pieces.hpp"
#include "job/regimes.hpp"
#include "polynomial/scaled_function.hpp"

#include <algorithm>
#include <cmath>

namespace tmd {

namespace {

constexpr double fewest_expected = 64;
constexpr double most_deviations = 6;
constexpr double least_slope_range = 0x1p-14; // in spacings an argument, over the field

// |F″| in the middle of the field, times its arguments; 0 where it is not known.
double slope_range(const Job& job, const Field& field) {
  constexpr long precision = 256;
  const ScaledFunction function(*job.function, job.grid(), field.piece());
  Arb index;
  set(index, field.arguments.count / 2);
  ArbVector coefficients(3);
  function.series(coefficients.data(), index, 3, precision);
  const double bend = arf_get_d(arb_midref(coefficients[2]), ARF_RND_NEAR);
  return std::isfinite(bend) ? 2 * std::fabs(bend) * static_cast<double>(field.arguments.count) : 0;
}

} // namespace

Survey survey(const Job& job, bool leaves_out, const std::function<bool()>& interrupted) {
  Survey result;
  divide(
      job, job.range(), interrupted,
      [&](const RegimeRange& range) { (range.regime.rule ? result.all_cases : result.none) += range.size(); },
      [&](const Stretch& stretch) {
        (leaves_out && has_too_many_pieces(job, stretch) ? result.left_out : result.rest) += stretch.count;
      });
  result.cases = expected_cases(job, result.rest);
  return result;
}

std::vector<Unexpected> unexpected_counts(const Job& job, const SearchResult& result) {
  std::vector<ArgumentSet::Rank> ranks;
  ranks.reserve(result.cases.size());
  for (const Case& one : result.cases)
    ranks.push_back(job.arguments().rank(one.x));
  std::sort(ranks.begin(), ranks.end());
  std::vector<Unexpected> found;
  for (const FieldReport& report : result.fields) {
    const Field& field = report.field;
    const double expected = expected_cases(job, field.arguments.count);
    if (!field.values || report.methods.empty() || expected < fewest_expected)
      continue;
    const RankInterval of = ranks_of(job.arguments(), field.arguments, 0, field.arguments.count);
    const auto cases = static_cast<std::uint64_t>(std::lower_bound(ranks.begin(), ranks.end(), of.last) -
                                                  std::lower_bound(ranks.begin(), ranks.end(), of.first));
    if (std::fabs(static_cast<double>(cases) - expected) > most_deviations * std::sqrt(expected) &&
        slope_range(job, field) >= least_slope_range)
      found.push_back({field, cases, expected});
  }
  return found;
}

} // namespace tmd
