#include "function/hyperbolic.hpp"

#include "function/entry.hpp"
#include "function/exponential.hpp"
#include "function/logarithm.hpp"
#include "function/recurrence.hpp"
#include "function/taylor_form.hpp"

namespace tmd::function {

namespace {

// Each of the two is the other's derivative.
void set_hyperbolic(arb_ptr coefficients, arb_srcptr value, arb_srcptr derivative, long length, long precision) {
  number::Arb one;
  arb_one(one);
  set_oscillation(coefficients, value, derivative, one, 1, length, precision);
}

void sinh_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb sine;
  number::Arb cosine;
  arb_sinh_cosh(sine, cosine, x, precision);
  set_hyperbolic(coefficients, sine, cosine, length, precision);
}

void cosh_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb sine;
  number::Arb cosine;
  arb_sinh_cosh(sine, cosine, x, precision);
  set_hyperbolic(coefficients, cosine, sine, length, precision);
}

// tanh′ = 1 − tanh², which cancels for large |x|: there it is sech².
void tanh_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_tanh(coefficients, x, precision);
  if (length < 2)
    return;
  arb_sech(coefficients + 1, x, precision);
  arb_mul(coefficients + 1, coefficients + 1, coefficients + 1, precision);
  number::Arb one;
  number::Arb minus_one;
  arb_one(one);
  arb_set_si(minus_one, -1);
  continue_riccati(coefficients, 2, one, minus_one, length, precision);
}

void asinh_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_asinh(coefficients, x, precision);
  number::Arb quadratic;
  arb_mul(quadratic, x, x, precision);
  arb_add_si(quadratic, quadratic, 1, precision);
  integrate_inverse_root(coefficients, x, quadratic, -1, length, precision);
}

// x² − 1 = (x − 1)(x + 1), which does not cancel near 1.
void acosh_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_acosh(coefficients, x, precision);
  number::Arb below;
  number::Arb quadratic;
  arb_sub_si(below, x, 1, precision);
  arb_add_si(quadratic, x, 1, precision);
  if (arb_is_positive(below) != 0)
    arb_mul(quadratic, quadratic, below, precision);
  else
    arb_zero(quadratic);
  integrate_inverse_root(coefficients, x, quadratic, -1, length, precision);
}

// c_j = ((1 − x)^−j + (−1)^(j−1)·(1 + x)^−j)/(2j).
void atanh_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_atanh(coefficients, x, precision);
  number::Arb left;
  number::Arb right;
  arb_sub_si(left, x, 1, precision);
  arb_neg(left, left);
  arb_add_si(right, x, 1, precision);
  if (arb_is_positive(left) == 0 || arb_is_positive(right) == 0) {
    set_undefined(coefficients, length);
    return;
  }
  arb_inv(left, left, precision);
  arb_inv(right, right, precision);
  arb_neg(right, right);
  number::Arb left_power;
  number::Arb right_power;
  arb_one(left_power);
  arb_one(right_power);
  for (long j = 1; j < length; ++j) {
    arb_mul(left_power, left_power, left, precision);
    arb_mul(right_power, right_power, right, precision);
    arb_sub(coefficients + j, left_power, right_power, precision);
    arb_div_si(coefficients + j, coefficients + j, 2 * j, precision);
  }
}

} // namespace

std::vector<Function> hyperbolic_functions() {
  const Domain from_one{1, true, unbounded, false, "x >= 1"};
  const Domain inside_one{-1, false, 1, false, "-1 < x < 1"};
  return {
      of_phase(logarithm_of_twice(), entry("acosh", "inverse hyperbolic cosine", from_one, Symmetry::none,
                                           in_taylor_form(acosh_series), mpfr_acosh, exact_at_one())),
      of_phase(logarithm_of_twice(), entry("asinh", "inverse hyperbolic sine", every_x, Symmetry::odd,
                                           in_taylor_form(asinh_series), mpfr_asinh, exact_at_zero())),
      entry("atanh", "inverse hyperbolic tangent", inside_one, Symmetry::odd, in_taylor_form(atanh_series), mpfr_atanh,
            exact_at_zero()),
      of_phase(half_an_exponential(), rising_from(0, entry("cosh", "hyperbolic cosine", every_x, Symmetry::even,
                                                           in_taylor_form(cosh_series), mpfr_cosh, exact_at_zero()))),
      of_phase(half_an_exponential(), rising_from(0, entry("sinh", "hyperbolic sine", every_x, Symmetry::odd,
                                                           in_taylor_form(sinh_series), mpfr_sinh, exact_at_zero()))),
      between(-1, 1,
              rising_from(0, entry("tanh", "hyperbolic tangent", every_x, Symmetry::odd, in_taylor_form(tanh_series),
                                   mpfr_tanh, exact_at_zero()))),
  };
}

} // namespace tmd::function
