#include "function/recurrence.hpp"

#include <utility>

namespace tmd::function {

void set_undefined(arb_ptr coefficients, long length) { _arb_vec_indeterminate(coefficients, length); }

// (j + 1)(j + 2)·c_(j+2) = sign·factor²·c_j.
void set_oscillation(arb_ptr coefficients, arb_srcptr value, arb_srcptr derivative, arb_srcptr factor, long sign,
                     long length, long precision) {
  arb_set(coefficients, value);
  if (length < 2)
    return;
  number::Arb square;
  arb_mul(square, factor, factor, precision);
  arb_mul_si(square, square, sign, precision);
  arb_mul(coefficients + 1, derivative, factor, precision);
  for (long j = 0; j + 2 < length; ++j) {
    arb_mul(coefficients + j + 2, coefficients + j, square, precision);
    arb_div_si(coefficients + j + 2, coefficients + j + 2, (j + 1) * (j + 2), precision);
  }
}

// (j + 1)·c_(j+1) = [j = 0]·a + b·Σ c_i·c_(j−i).
void continue_riccati(arb_ptr coefficients, long known, arb_srcptr a, arb_srcptr b, long length, long precision) {
  number::Arb sum;
  for (long j = known - 1; j + 1 < length; ++j) {
    arb_dot(sum, nullptr, 0, coefficients, 1, coefficients + j, -1, j + 1, precision);
    arb_mul(sum, sum, b, precision);
    if (j == 0)
      arb_add(sum, sum, a, precision);
    arb_div_si(coefficients + j + 1, sum, j + 1, precision);
  }
}

// quadratic·(j + 1)·g_(j+1) = sign·((2j + 1)·x·g_j + j·g_(j−1)), c_(j+1) = g_j/(j + 1).
void integrate_inverse_root(arb_ptr coefficients, arb_srcptr x, arb_srcptr quadratic, long sign, long length,
                            long precision) {
  if (length < 2)
    return;
  if (arb_is_positive(quadratic) == 0) {
    set_undefined(coefficients + 1, length - 1);
    return;
  }
  number::Arb term;
  arb_rsqrt(coefficients + 1, quadratic, precision);
  for (long j = 0; j + 2 < length; ++j) {
    arb_mul(term, x, coefficients + j + 1, precision);
    arb_mul_si(term, term, sign * (2 * j + 1), precision);
    if (j > 0)
      arb_addmul_si(term, coefficients + j, sign * j, precision);
    arb_div(term, term, quadratic, precision);
    arb_div_si(coefficients + j + 2, term, j + 1, precision);
  }
  for (long j = 2; j < length; ++j)
    arb_div_si(coefficients + j, coefficients + j, j, precision);
}

Series series_over(Series series, Constant constant) {
  return [series = std::move(series), constant](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    series(coefficients, x, length, precision);
    number::Arb factor;
    constant(factor, precision);
    arb_inv(factor, factor, precision);
    scale(coefficients, 0, factor, length, precision);
  };
}

void scale(arb_ptr coefficients, long first, arb_srcptr factor, long length, long precision) {
  if (first < length)
    _arb_vec_scalar_mul(coefficients + first, coefficients + first, length - first, factor, precision);
}

} // namespace tmd::function
