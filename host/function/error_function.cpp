#include "function/error_function.hpp"

#include "function/entry.hpp"
#include "function/taylor_form.hpp"

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

} // namespace

std::vector<Function> error_functions() {
  return {
      between(-1, 1,
              beside_line("2*x/sqrt(pi)",
                          rising_from(0, entry("erf", "error function", every_x, Symmetry::odd,
                                               in_taylor_form(erf_series), mpfr_erf, exact_error_function())))),
      between(0, 2,
              entry("erfc", "1 - erf x", every_x, Symmetry::none, in_taylor_form(erfc_series), mpfr_erfc,
                    exact_error_function())),
  };
}

} // namespace tmd::function
