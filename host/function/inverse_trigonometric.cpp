#include "function/inverse_trigonometric.hpp"

#include "function/entry.hpp"
#include "function/recurrence.hpp"
#include "function/taylor_form.hpp"

namespace tmd::function {

namespace {

// 1 − x² = (1 − x)(1 + x), which does not cancel near ±1.
number::Arb complement_of_square(arb_srcptr x, long precision) {
  number::Arb below;
  number::Arb above;
  arb_sub_si(below, x, 1, precision);
  arb_neg(below, below);
  arb_add_si(above, x, 1, precision);
  number::Arb product;
  if (arb_is_positive(below) != 0 && arb_is_positive(above) != 0)
    arb_mul(product, below, above, precision);
  return product;
}

void asin_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_asin(coefficients, x, precision);
  integrate_inverse_root(coefficients, x, complement_of_square(x, precision), 1, length, precision);
}

void acos_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  asin_series(coefficients, x, length, precision);
  _arb_vec_neg(coefficients, coefficients, length);
  arb_acos(coefficients, x, precision);
}

// c_j = (−1)^(j−1)·sin(jθ)/(j·ρ^j) with 1 + ix = ρ·e^(i(π/2 − θ)).
void atan_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_atan(coefficients, x, precision);
  if (arb_is_zero(x) != 0) { // exactly, as far as they are numbers
    for (long j = 1; j < length; ++j) {
      arb_set_si(coefficients + j, j % 2 == 0 ? 0 : j % 4 == 1 ? 1 : -1);
      arb_div_si(coefficients + j, coefficients + j, j, precision);
    }
    return;
  }
  number::Arb one;
  number::Arb argument;
  number::Arb inverse;
  arb_one(one);
  // Left of 0 by symmetry: for θ near π, the sines would lose precision.
  number::Arb right;
  arb_set(right, x);
  const bool mirrored = arb_is_negative(x) != 0;
  if (mirrored)
    arb_neg(right, right);
  arb_atan2(argument, one, right, precision);
  arb_mul(inverse, right, right, precision);
  arb_add_si(inverse, inverse, 1, precision);
  arb_rsqrt(inverse, inverse, precision);
  number::Arb power(one);
  number::Arb angle;
  for (long j = 1; j < length; ++j) {
    arb_mul(power, power, inverse, precision);
    arb_mul_si(angle, argument, j, precision);
    arb_sin(angle, angle, precision);
    arb_mul(coefficients + j, angle, power, precision);
    arb_div_si(coefficients + j, coefficients + j, j % 2 == 0 && !mirrored ? -j : j, precision);
  }
}

} // namespace

std::vector<Function> inverse_trigonometric_functions() {
  const Domain unit{-1, true, 1, true, "-1 <= x <= 1"};
  const Series asin = in_taylor_form(asin_series);
  const Series acos = in_taylor_form(acos_series);
  const Series atan = in_taylor_form(atan_series);
  return {
      entry("acos", "arc cosine", unit, Symmetry::none, acos, mpfr_acos, exact_at_one()),
      entry("acospi", "arc cosine over pi", unit, Symmetry::none, series_over(acos, arb_const_pi), mpfr_acospi,
            exact_at_zero_and_ones()),
      entry("asin", "arc sine", unit, Symmetry::odd, asin, mpfr_asin, exact_at_zero()),
      beside_line("x/pi", entry("asinpi", "arc sine over pi", unit, Symmetry::odd, series_over(asin, arb_const_pi),
                                mpfr_asinpi, exact_at_zero_and_ones())),
      rising_from(0, entry("atan", "arc tangent", every_x, Symmetry::odd, atan, mpfr_atan, exact_at_zero())),
      between(-0.5, 0.5,
              beside_line("x/pi", rising_from(0, entry("atanpi", "arc tangent over pi", every_x, Symmetry::odd,
                                                       series_over(atan, arb_const_pi), mpfr_atanpi,
                                                       exact_at_zero_and_ones())))),
  };
}

} // namespace tmd::function
