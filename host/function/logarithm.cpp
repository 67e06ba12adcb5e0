#include "function/logarithm.hpp"

#include "function/entry.hpp"
#include "function/exponential.hpp"
#include "function/recurrence.hpp"

#include <utility>

namespace tmd::function {

namespace {

// Continues the series of the logarithm from its value: coefficients (−1)^(j+1)/(j·x^j).
void continue_logarithm(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  if (arb_is_positive(x) == 0) {
    set_undefined(coefficients, length);
    return;
  }
  number::Arb inverse;
  number::Arb power;
  arb_inv(inverse, x, precision);
  arb_neg(inverse, inverse);
  arb_set_si(power, -1);
  for (long j = 1; j < length; ++j) {
    arb_mul(power, power, inverse, precision);
    arb_div_ui(coefficients + j, power, static_cast<unsigned long>(j), precision);
  }
}

void log_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  arb_log(coefficients, x, precision);
  continue_logarithm(coefficients, x, length, precision);
}

// The value is computed separately: 1 + x would lose precision near 0.
void log1p_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb shifted;
  arb_add_si(shifted, x, 1, precision);
  arb_log1p(coefficients, x, precision);
  continue_logarithm(coefficients, shifted, length, precision);
}

// A logarithm, or what comes close to one.
Phase logarithm(Series series, Constant period, double agreement = 0) {
  return {std::move(series), period, Phase::Kind::logarithm, false, false, agreement};
}

} // namespace

Phase logarithm_of_twice() {
  Phase phase = logarithm(log_series, arb_const_log2, 2);
  phase.doubled = true;
  return phase;
}

std::vector<Function> logarithm_functions() {
  constexpr Symmetry none = Symmetry::none;
  const Domain beyond_minus_one{-1, false, unbounded, false, "x > -1"};
  const Series log10_series = series_over(log_series, arb_const_log10);
  return {
      of_phase(logarithm(log_series, arb_const_log2),
               entry("log", "natural logarithm", positive_x, none, log_series, mpfr_log, exact_at_one())),
      of_phase(logarithm(log10_series, log10_of_2), entry("log10", "logarithm to base 10", positive_x, none,
                                                          log10_series, mpfr_log10, exact_at_powers_of_ten(0))),
      of_phase(logarithm(log10_series, log10_of_2, 1), // log(1 + 1/x) is below 1/x
               beside_line("x/log(10)",
                           entry("log10p1", "logarithm of 1 + x to base 10", beyond_minus_one, none,
                                 series_over(log1p_series, arb_const_log10), mpfr_log10p1, exact_at_powers_of_ten(1)))),
      of_phase(logarithm(log_series, arb_const_log2, 1), entry("log1p", "natural logarithm of 1 + x", beyond_minus_one,
                                                               none, log1p_series, mpfr_log1p, exact_at_zero())),
      entry("log2", "logarithm to base 2", positive_x, none, series_over(log_series, arb_const_log2), mpfr_log2,
            exact_at_powers_of_two(0), Scaling{1, 0, 1, 0, 1}),
      beside_line("x/log(2)", entry("log2p1", "logarithm of 1 + x to base 2", beyond_minus_one, none,
                                    series_over(log1p_series, arb_const_log2), mpfr_log2p1, exact_at_powers_of_two(1))),
  };
}

} // namespace tmd::function
