#include "engine/wide/plan.hpp"

#include "engine/wide/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tmd {

namespace {

constexpr int fewest_group_bits = 7;
constexpr int most_group_bits = 23;         // M ≤ 2^22: integers up to M + Q are exact in float
constexpr int least_groups_bits = 4;        // of a sub-interval: as many as a vector may have lanes
constexpr int most_sub_bits = 32;           // cl_kernels/wide/polynomial.clh
constexpr int most_part_bits = 5;           // a refused group is taken up in so many parts
constexpr long sub_interval_margin = 6;     // the cut of a sub-interval's polynomial is kept so far below ε
constexpr double most_denominator = 131072; // of wide_bounds in cl_kernels/wide/lines.clh
constexpr double line_factor = 1.05;        // lines of a group over √|c2|·M^1.5, as measured
// Slopes of an interval that vary by less are no fair sample of all: what they give is tried.
constexpr double least_slope_range = 0x1p-6;
constexpr int tried_groups = 32;

float rounded_up(double x) {
  const auto nearest = static_cast<float>(x);
  return std::nextafter(nearest, std::numeric_limits<float>::infinity());
}

double most_lines(const WideChoice& choice) {
  return std::min(64 + 8 * choice.lines, static_cast<double>(wide_most_lines));
}

} // namespace

WideChoice choose_wide(const TaylorPolynomial& taylor, const PlanOptions& options) {
  const Bound reach(taylor.count + 1);
  const double c2 = taylor.derivative_bound(2, reach).value() / 2;
  const double c3 = taylor.derivative_bound(3, reach).value() / 6;
  const double c5 = taylor.derivative_bound(5, reach).value() / 120;
  const double epsilon = std::exp2(-options.bits);
  const CostModel& costs = options.costs;
  const int span_bits = bit_length(taylor.count - 1);
  WideChoice best;
  const int fewest =
      options.domain_bits ? std::clamp(*options.domain_bits, fewest_group_bits, most_group_bits) : fewest_group_bits;
  const int most = options.domain_bits ? fewest : most_group_bits;
  const auto consider = [&](int group_bits) {
    WideChoice choice;
    choice.group_bits = group_bits;
    choice.sub_bits = std::clamp(span_bits, group_bits + least_groups_bits, most_sub_bits);
    while (choice.sub_bits > group_bits + least_groups_bits &&
           c5 * std::exp2(5.0 * choice.sub_bits + sub_interval_margin) > epsilon)
      --choice.sub_bits;
    const double m = std::exp2(group_bits - 1);
    const double beyond = c5 * std::exp2(5.0 * choice.sub_bits);
    const double error = epsilon + beyond + c3 * m * m * m + std::exp2(group_bits - 60);
    if (choice.sub_bits > most_sub_bits || beyond > epsilon / 4 || error > 0.125)
      return choice;
    const double factor = static_cast<double>(options.wide_denominator_percent) / 100;
    choice.denominator_limit = std::clamp(factor / std::sqrt(c2 * m + 1e-30), 2.0, most_denominator);
    choice.lines = line_factor * std::sqrt(c2 * m) * m + m / most_denominator;
    // Members of the classes near their lines.
    const double q = choice.denominator_limit / 2;
    const double g = q * error + wide_line_rounding * choice.lines;
    WideExpectation expected{choice.lines, (4 * g * m + 2 * wide_root_rounding * m * choice.lines) / q, 0};
    if (2 * c2 * static_cast<double>(taylor.count) < least_slope_range)
      expected = try_groups(
          taylor, {group_bits, error, std::max(c2 * m * m, 0x1p-40), choice.denominator_limit, most_lines(choice)},
          tried_groups);
    choice.cost = (costs.wide_group + costs.wide_line * expected.lines + costs.wide_candidate * expected.candidates +
                   costs.wide_part * std::exp2(most_part_bits) * expected.refused) /
                      (2 * m) +
                  2 * (epsilon + beyond) * costs.confirmation;
    return choice;
  };
  for (int group_bits = fewest; group_bits <= most; ++group_bits)
    if (const WideChoice choice = consider(group_bits); choice.cost < best.cost)
      best = choice;
  if (best.group_bits != 0 && options.wide_group_bits_offset != 0 && !options.domain_bits) {
    const WideChoice moved =
        consider(std::clamp(best.group_bits + options.wide_group_bits_offset, fewest_group_bits, most_group_bits));
    if (std::isfinite(moved.cost))
      best = moved;
  }
  return best;
}

bool bends_unevenly(const TaylorPolynomial& taylor) {
  constexpr double much = 4;
  if (taylor.degree() < 3)
    return false;
  return taylor.derivative_bound(2, Bound(taylor.count / 2)).value() >
         much * 2 * Bound::of(taylor.coefficients[2]).value();
}

std::optional<IntervalPlan> plan_wide(const TaylorPolynomial& taylor, const WideChoice& choice,
                                      const PlanOptions& options) {
  const auto polynomial =
      std::make_shared<const WidePolynomial>(taylor, choice.sub_bits, choice.group_bits, choice.fewest_words);
  IntervalPlan plan;
  plan.first = taylor.first;
  plan.count = taylor.count;
  plan.method = Method::wide;
  plan.domain_bits = choice.group_bits;
  plan.degree = taylor.degree();
  Ledger& ledger = plan.ledger;
  ledger.epsilon = Bound::power_of_two(-options.bits);
  ledger.taylor = taylor.remainder;
  ledger.coefficients = polynomial->coefficient_error();
  ledger.subinterval = polynomial->beyond();
  ledger.group = polynomial->group_error();
  ledger.high = polynomial->high();
  if (polynomial->words() > WidePolynomial::most_words || !can_filter(ledger.wide()) ||
      !can_filter(ledger.wide_check()) || !can_filter(polynomial->curvature().scaled(-20)))
    return std::nullopt;
  plan.wide.polynomial = polynomial;
  plan.wide.part_bits = std::min(most_part_bits, choice.group_bits - 2);
  plan.wide.error = rounded_up(ledger.wide().value());
  // Not so small that a float of it, or of its square, would be lost.
  plan.wide.curvature = rounded_up(std::max(polynomial->curvature().value(), 0x1p-40));
  plan.wide.denominator_limit = static_cast<float>(choice.denominator_limit);
  plan.wide.most_lines = static_cast<float>(most_lines(choice));
  return plan;
}

} // namespace tmd
