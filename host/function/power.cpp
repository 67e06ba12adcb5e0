#include "function/power.hpp"

namespace tmd {

namespace {

// The coefficients of x^a behind the first, which is given: c_(j+1) = c_j·(a − j)/((j + 1)·x), a =
// numerator/denominator. For odd denominators also on x < 0; not finite where x touches 0.
void power_series(arb_ptr coefficients, arb_srcptr x, long numerator, long denominator, long length, long precision) {
  Arb inverse;
  arb_inv(inverse, x, precision);
  for (long j = 0; j + 1 < length; ++j) {
    arb_mul(coefficients + j + 1, coefficients + j, inverse, precision);
    arb_mul_si(coefficients + j + 1, coefficients + j + 1, numerator - denominator * j, precision);
    arb_div_si(coefficients + j + 1, coefficients + j + 1, denominator * (j + 1), precision);
  }
}

} // namespace

// Odd, and not analytic at 0.
void cbrt_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb magnitude;
  arb_abs(magnitude, x);
  arb_root_ui(coefficients, magnitude, 3, precision);
  if (arb_is_negative(x) != 0)
    arb_neg(coefficients, coefficients);
  else if (arb_is_positive(x) == 0)
    arb_indeterminate(coefficients);
  power_series(coefficients, x, 1, 3, length, precision);
}

} // namespace tmd
