#include "number/bound.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace tmd::number {

Bound Bound::power_of_two(long exponent) {
  Bound result;
  mag_set_ui_2exp_si(result.value_, 1, exponent);
  return result;
}

Bound Bound::of(arb_srcptr ball) {
  Bound result;
  arb_get_mag(result.value_, ball);
  return result;
}

Bound Bound::of(double value) {
  Bound result;
  if (std::isinf(value)) {
    mag_inf(result.value_);
    return result;
  }
  int exponent = 0;
  const double mantissa = std::ceil(std::ldexp(std::frexp(value, &exponent), MAG_BITS)); // exact with so many bits
  mag_set_ui_2exp_si(result.value_, static_cast<ulong>(mantissa), exponent - MAG_BITS);
  return result;
}

Bound Bound::radius_of(arb_srcptr ball) {
  Bound result;
  mag_set(result.value_, arb_radref(ball));
  return result;
}

Bound Bound::scaled(long exponent) const {
  Bound result;
  mag_mul_2exp_si(result.value_, value_, exponent);
  return result;
}

double Bound::log2() const {
  if (is_zero() || !is_finite())
    return (is_zero() ? -1 : 1) * std::numeric_limits<double>::infinity();
  // The exponent is handled apart, for it may be beyond a double's.
  const auto exponent = fmpz_get_si(MAG_EXPREF(value_));
  return static_cast<double>(exponent) + std::log2(scaled(-exponent).value());
}

std::uint64_t Bound::fixed_point() const {
  if (!is_finite())
    throw std::overflow_error("an infinite bound has no 64-bit fraction");
  Integer scaled_up;
  mag_get_fmpz(scaled_up, scaled(64).value_); // rounds up
  if (fmpz_abs_fits_ui(scaled_up) == 0)
    throw std::overflow_error("a bound of one or more has no 64-bit fraction");
  return fmpz_get_ui(scaled_up);
}

double lower_end(const Arb& ball) {
  constexpr long precision = 64;
  arf_t end;
  arf_init(end);
  arb_get_lbound_arf(end, ball, precision);
  const double result = arf_get_d(end, ARF_RND_FLOOR);
  arf_clear(end);
  return result;
}

double upper_end(const Arb& ball) {
  Arb negated;
  arb_neg(negated, ball);
  return -lower_end(negated);
}

Bound max(const Bound& left, const Bound& right) { return left < right ? right : left; }

Bound power(const Bound& base, unsigned exponent) {
  Bound result(1);
  for (unsigned i = 0; i < exponent; ++i)
    result *= base;
  return result;
}

Bound binomial(std::uint64_t n, int k) {
  Integer value;
  fmpz_bin_uiui(value, n, static_cast<ulong>(k));
  Arb ball;
  arb_set_fmpz(ball, value);
  return Bound::of(ball);
}

bool can_filter(const Bound& bound) { return bound < Bound::power_of_two(-2); }

float float_above(double x) { return std::nextafter(static_cast<float>(x), std::numeric_limits<float>::infinity()); }

} // namespace tmd::number
