// lgamma and tgamma. Their series left of 0 come from those on the right by recurrence; enclosures are Taylor forms.
#include "function/gamma.hpp"

#include "function/entry.hpp"
#include "function/recurrence.hpp"
#include "function/taylor_form.hpp"

namespace tmd::function {

namespace {

// Coefficients (−1)^j·ζ(j, t)/j of log Γ on t > 0, j ≥ 2, from bounds on ζ(j, t) = Σ (t + k)^−j: it falls with t, and
// x^−j is convex, so that 0 < ζ(j, t) ≤ t^−j + (t + 1/2)^(1−j)/(j − 1).
void bound_log_gamma_derivatives(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb first;
  arb_get_lbound_arf(arb_midref(static_cast<arb_ptr>(first)), x, precision);
  number::Arb half_behind;
  arb_set_d(half_behind, 0.5);
  arb_add(half_behind, half_behind, first, precision);
  arb_inv(first, first, precision);
  arb_inv(half_behind, half_behind, precision);
  number::Arb zero;
  number::Arb most;
  number::Arb term;
  for (long j = 2; j < length; ++j) {
    arb_pow_ui(most, first, static_cast<unsigned long>(j), precision);
    arb_pow_ui(term, half_behind, static_cast<unsigned long>(j - 1), precision);
    arb_div_si(term, term, j - 1, precision);
    arb_add(most, most, term, precision);
    arb_union(coefficients + j, zero, most, precision);
    arb_div_si(coefficients + j, coefficients + j, j % 2 == 0 ? j : -j, precision);
  }
}

// On t > 0. On wide balls bounds, which do not depend on how wide they are: Arb's series is useless there.
void log_gamma_right_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  if (arb_is_positive(x) == 0) {
    set_undefined(coefficients, length);
    return;
  }
  if (arb_is_exact(x) != 0) {
    // Arb's series loses up to three bits a coefficient.
    number::ArbVector line(2);
    arb_set(line[0], x);
    arb_one(line[1]);
    _arb_poly_lgamma_series(coefficients, line.data(), 2, length, precision + 4 * length);
    arb_lgamma(coefficients, x, precision);
    return;
  }
  arb_lgamma(coefficients, x, precision);
  if (length < 2)
    return;
  number::Arb first;
  number::Arb last;
  arb_get_lbound_arf(arb_midref(static_cast<arb_ptr>(first)), x, precision);
  arb_get_ubound_arf(arb_midref(static_cast<arb_ptr>(last)), x, precision);
  arb_digamma(first, first, precision); // increases
  arb_digamma(last, last, precision);
  arb_union(coefficients + 1, first, last, precision);
  bound_log_gamma_derivatives(coefficients, x, length, precision);
}

// Of log|sin πx|: its derivative is y = π·cot πx, y′ = −π² − y².
void log_sinpi_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_sin_pi(coefficients, x, precision);
  arb_abs(coefficients, coefficients);
  arb_log(coefficients, coefficients, precision);
  if (length < 2)
    return;
  number::Arb pi;
  arb_const_pi(pi, precision);
  arb_cot_pi(coefficients + 1, x, precision);
  arb_mul(coefficients + 1, coefficients + 1, pi, precision);
  number::Arb constant;
  number::Arb minus_one;
  arb_mul(constant, pi, pi, precision);
  arb_neg(constant, constant);
  arb_set_si(minus_one, -1);
  continue_riccati(coefficients + 1, 1, constant, minus_one, length - 1, precision);
  for (long j = 2; j < length; ++j)
    arb_div_si(coefficients + j, coefficients + j, j, precision);
}

// On t < 0 by reflection: log|Γ(t)| = log π − log|sin πt| − log Γ(1 − t).
void lgamma_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  if (arb_is_negative(x) == 0) {
    log_gamma_right_series(coefficients, x, length, precision);
    return;
  }
  number::Arb reflected;
  arb_sub_si(reflected, x, 1, precision);
  arb_neg(reflected, reflected);
  number::ArbVector right(length);
  log_gamma_right_series(right.data(), reflected, length, precision);
  log_sinpi_series(coefficients, x, length, precision);
  for (long j = 0; j < length; ++j) {
    if (j % 2 == 0)
      arb_add(coefficients + j, coefficients + j, right[j], precision);
    else
      arb_sub(coefficients + j, coefficients + j, right[j], precision);
    arb_neg(coefficients + j, coefficients + j);
  }
  number::Arb log_pi;
  arb_const_pi(log_pi, precision);
  arb_log(log_pi, log_pi, precision);
  arb_add(coefficients, coefficients, log_pi, precision);
}

// Γ′ = Γ·(log|Γ|)′: (j + 1)·c_(j+1) = Σ (i + 1)·l_(i+1)·c_(j−i), l the coefficients of log|Γ|.
void tgamma_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_gamma(coefficients, x, precision);
  if (length < 2)
    return;
  number::ArbVector log(length);
  lgamma_series(log.data(), x, length, precision);
  for (long j = 1; j < length; ++j)
    arb_mul_si(log[j], log[j], j, precision);
  for (long j = 0; j + 1 < length; ++j) {
    arb_dot(coefficients + j + 1, nullptr, 0, log[1], 1, coefficients + j, -1, j + 1, precision);
    arb_div_si(coefficients + j + 1, coefficients + j + 1, j + 1, precision);
  }
}

// Γ(1 + x) = x·Γ(x), which has no pole at 0.
void gamma_of_next_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb next;
  arb_add_ui(next, x, 1, precision);
  tgamma_series(coefficients, next, length, precision);
}

int log_gamma(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(y, &sign, x, rounding);
}

} // namespace

std::vector<Function> gamma_functions() {
  const Domain but_poles = every_x_but("0, -1, -2, ...");
  std::vector<Function> functions{
      entry("lgamma", "logarithm of |gamma(x)|", but_poles, Symmetry::none, in_taylor_form(lgamma_series), log_gamma,
            exact_log_gamma()),
      beside({"1/x", 0, -1, in_taylor_form(gamma_of_next_series)},
             rising_from(2, entry("tgamma", "gamma function", but_poles, Symmetry::none, in_taylor_form(tgamma_series),
                                  mpfr_gamma, exact_gamma()))),
  };
  for (Function& function : functions)
    function.has_integer_poles = true;
  return functions;
}

} // namespace tmd::function
