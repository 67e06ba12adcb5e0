#include "function/error_function.hpp"

#include "function/entry.hpp"
#include "function/taylor_form.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tmd::function {

namespace {

// Continues from the value: c_(j+1) = g_j/(j + 1) with g = ±2·e^(−x²)/√π, (j + 1)·g_(j+1) = −2·(x·g_j + g_(j−1)).
void continue_error_function(arb_ptr coefficients, arb_srcptr x, long sign, long length, long precision) {
  if (length < 2)
    return;
  number::Arb term;
  arb_mul(term, x, x, precision);
  arb_neg(term, term);
  arb_exp(coefficients + 1, term, precision);
  arb_const_sqrt_pi(term, precision);
  arb_div(coefficients + 1, coefficients + 1, term, precision);
  arb_mul_si(coefficients + 1, coefficients + 1, 2 * sign, precision);
  for (long j = 0; j + 2 < length; ++j) {
    arb_mul(term, x, coefficients + j + 1, precision);
    if (j > 0)
      arb_add(term, term, coefficients + j, precision);
    arb_mul_si(term, term, -2, precision);
    arb_div_si(coefficients + j + 2, term, j + 1, precision);
  }
  for (long j = 2; j < length; ++j)
    arb_div_si(coefficients + j, coefficients + j, j, precision);
}

void erf_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_hypgeom_erf(coefficients, x, precision);
  continue_error_function(coefficients, x, 1, length, precision);
}

void erfc_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_hypgeom_erfc(coefficients, x, precision);
  continue_error_function(coefficients, x, -1, length, precision);
}

// An enclosure of limit − erfc(|x|), negated if x is. Of a value near the limit MPFR's erf computes all bits from
// scratch, which takes seconds where there are tens of thousands; erfc(|x|), below e^(−x²), needs only those behind. Of
// very many of these only a share is computed, with MPFR's fast series: whoever needs more asks for more.
ValueEnclosure less_complement(unsigned long limit, mpfr_srcptr x, bool negated, long precision) {
  constexpr double log2_of_e = 1.44269;
  constexpr double most_bits = 0x1p+30;
  constexpr long fewest_bits = 64;
  constexpr long very_many = 2048;
  constexpr long share = 8;
  const double size = std::fabs(mpfr_get_d(x, MPFR_RNDZ));
  const auto before = static_cast<long>(std::min(size * size * log2_of_e, most_bits));
  const long behind = std::max(precision - before, 0L);
  const bool has_fast_series = behind < 3 * before;
  ValueEnclosure complement(fewest_bits + (behind > very_many && has_fast_series ? behind / share : behind));
  number::Mpfr argument(mpfr_get_prec(x));
  mpfr_abs(argument, x, MPFR_RNDN);
  mpfr_erfc(complement.lower, argument, MPFR_RNDZ);
  mpfr_set(complement.upper, complement.lower, MPFR_RNDN);
  mpfr_nextabove(complement.upper);
  ValueEnclosure value(precision);
  value.is_strict = true;
  mpfr_ui_sub(value.lower, limit, complement.upper, MPFR_RNDD);
  mpfr_ui_sub(value.upper, limit, complement.lower, MPFR_RNDU);
  if (negated) {
    mpfr_swap(value.lower, value.upper);
    mpfr_neg(value.lower, value.lower, MPFR_RNDN);
    mpfr_neg(value.upper, value.upper, MPFR_RNDN);
  }
  return value;
}

// The same function, erf or erfc, with values near its limit of 1 (and −1) or 2 computed from there.
Function from_limit(unsigned long limit, Function function) {
  constexpr unsigned long least_size = 2; // of x, for a value near the limit
  function.value = [limit, direct = std::move(function.value)](mpfr_srcptr x, long precision) {
    const bool is_negative = mpfr_signbit(x) != 0;
    const bool is_near = mpfr_cmpabs_ui(x, least_size) >= 0 && (limit == 1 || is_negative);
    if (mpfr_number_p(x) == 0 || !is_near)
      return direct(x, precision);
    return less_complement(limit, x, limit == 1 && is_negative, precision);
  };
  return function;
}

} // namespace

std::vector<Function> error_functions() {
  return {
      between(-1, 1,
              beside_line("2*x/sqrt(pi)", from_limit(1, rising_from(0, entry("erf", "error function", every_x,
                                                                             Symmetry::odd, in_taylor_form(erf_series),
                                                                             mpfr_erf, exact_error_function()))))),
      between(0, 2,
              from_limit(2, entry("erfc", "1 - erf x", every_x, Symmetry::none, in_taylor_form(erfc_series), mpfr_erfc,
                                  exact_error_function()))),
  };
}

} // namespace tmd::function
