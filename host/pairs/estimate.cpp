#include "pairs/estimate.hpp"

#include "number/mpfr.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace tmd::pairs {

namespace {

constexpr int steps_of_power = 512;
constexpr int steps_of_angle = 256;

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52); }
int exponent_of(double value) { return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52) - 1023; }

// Requires |x| < 2^51. A call of the C library would take longer than everything else.
double nearest_integer(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

// A table of evaluate(i/count), rounded to nearest.
template <typename Evaluate> std::vector<double> table_of(int count, int last, const Evaluate& evaluate) {
  std::vector<double> table;
  number::Mpfr value(100);
  for (int i = 0; i <= last; ++i) {
    mpfr_set_si(value, i, MPFR_RNDN);
    mpfr_div_si(value, value, count, MPFR_RNDN);
    evaluate(value, value, MPFR_RNDN);
    table.push_back(mpfr_get_d(value, MPFR_RNDN));
  }
  return table;
}

} // namespace

PowerOfTwo::PowerOfTwo(double small)
    : small_(small), table_(table_of(steps_of_power, steps_of_power - 1,
                                     [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) { mpfr_exp2(y, x, mode); })) {}

Estimate PowerOfTwo::operator()(double t) const {
  const auto less_one = [](double r) { return r + r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24))); }; // e^r − 1
  const double nearest = nearest_integer(t * steps_of_power);
  const auto step = static_cast<std::int64_t>(nearest);
  const double rest = less_one((t - nearest / steps_of_power) * std::numbers::ln2); // the difference is exact
  const double base = table_[static_cast<std::size_t>(step & (steps_of_power - 1))];
  Estimate result{(base + base * rest) * power_of_two(static_cast<int>(step >> 9))};
  if (std::fabs(t) < small_) {
    result.anchor = 1;
    result.offset = less_one(t * std::numbers::ln2);
  }
  return result;
}

Angle::Angle(const PairJob& job)
    : half_turns_(job.function->name == "atan2pi"), pi_(half_turns_ ? 1 : std::numbers::pi),
      table_(table_of(steps_of_angle, steps_of_angle,
                      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t mode) { mpfr_atan(y, x, mode); })) {}

double Angle::arc_tangent(double x) const {
  const double nearest = nearest_integer(x * steps_of_angle);
  const double c = nearest / steps_of_angle;
  const double w = (x - c) / (1 + c * x); // below 2^-9
  const double square = w * w;
  const double angle = table_[static_cast<std::size_t>(nearest)] +
                       (w - w * square * (1.0 / 3 - square * (1.0 / 5 - square * (1.0 / 7))));
  return half_turns_ ? angle * std::numbers::inv_pi : angle;
}

Estimate Angle::operator()(double ratio, bool left, bool in_family) const {
  if (in_family) {
    const double offset = -ratio * ratio * ratio / 3 * (1 - 0.6 * ratio * ratio);
    return {ratio + offset, ratio, offset};
  }
  if (ratio > 1) {
    const double to_axis = arc_tangent(1 / ratio);
    const double offset = left ? to_axis : -to_axis;
    return {pi_ / 2 + offset, half_turns_ ? 0.5 : 0, offset};
  }
  const double angle = arc_tangent(ratio);
  return left ? Estimate{pi_ - angle, half_turns_ ? 1.0 : 0.0, -angle} : Estimate{angle};
}

Estimate hypotenuse(double x, double y) {
  const double value = std::sqrt(x * x + y * y);
  return {value, x, y * y / (value + x)};
}

EstimateJudge::EstimateJudge(const format::BreakpointGrid& grid, int K)
    : grid_(grid), shift_(grid.shifted() ? 0.5 : 0), epsilon_(std::ldexp(1, -K)),
      end_(grid.is_bounded() ? std::ldexp(1, grid.max_exponent + 1) : 0x1p1000) {}

double EstimateJudge::scaled(double value, double place) const {
  return value * power_of_two(-grid_.spacing_exponent(exponent_of(place))) - shift_;
}

Judged EstimateJudge::operator()(const Estimate& estimate) const {
  if (estimate.value >= end_)
    return Judged::nothing;
  if (estimate.anchor > 0) {
    // Values below a power of two lie in the lower binade.
    const double place = estimate.offset < 0 ? std::nextafter(estimate.anchor, 0) : estimate.anchor;
    const double anchor = scaled(estimate.anchor, place);
    const double distance = std::fabs(scaled(estimate.offset, place) + shift_);
    if (anchor == nearest_integer(anchor) && distance < 0.25)
      return distance < epsilon_ * (1 - offset_error)   ? Judged::family
             : distance > epsilon_ * (1 + offset_error) ? Judged::nothing
                                                        : Judged::perhaps_family;
  }
  const double number = scaled(estimate.value, estimate.value);
  const double nearest = nearest_integer(number);
  if (nearest < (grid_.shifted() ? 0 : 1)) // 0 is no breakpoint
    return Judged::nothing;
  return std::fabs(number - nearest) < epsilon_ + (number + 1) * estimate_error ? Judged::perhaps : Judged::nothing;
}

} // namespace tmd::pairs
