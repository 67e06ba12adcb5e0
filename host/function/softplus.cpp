#include "function/softplus.hpp"

#include "function/entry.hpp"

#include <utility>

namespace tmd::function {

namespace {

// For x > 0 as x + log(1 + exp(-x)).
void softplus_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  const bool is_positive = arb_is_positive(x) != 0;
  number::ArbVector powers(length); // of exp(±x)
  arb_set_round(powers[0], x, precision);
  if (is_positive)
    arb_neg(powers[0], powers[0]);
  arb_exp(powers[0], powers[0], precision);
  for (long j = 1; j < length; ++j) {
    arb_div_si(powers[j], powers[j - 1], is_positive ? -j : j, precision);
  }
  _arb_poly_log1p_series(coefficients, powers.data(), length, length, precision);
  if (!is_positive)
    return;
  arb_add(coefficients, coefficients, x, precision);
  if (length > 1)
    arb_add_ui(coefficients + 1, coefficients + 1, 1, precision);
}

// Rising in each step, so that each end is rounded outwards. No value is an end: exp(x) is transcendental but at 0, and
// log 2 is no rational number.
ValueEnclosure softplus_value(mpfr_srcptr x, long precision) {
  const bool is_positive = mpfr_sgn(x) > 0;
  number::Mpfr exponent(mpfr_get_prec(x));
  mpfr_abs(exponent, x, MPFR_RNDN);
  mpfr_neg(exponent, exponent, MPFR_RNDN);
  ValueEnclosure result(precision);
  for (const auto& [end, rounding] : {std::pair(static_cast<mpfr_ptr>(result.lower), MPFR_RNDD),
                                      std::pair(static_cast<mpfr_ptr>(result.upper), MPFR_RNDU)}) {
    mpfr_exp(end, exponent, rounding);
    mpfr_log1p(end, end, rounding);
    if (is_positive)
      mpfr_add(end, end, x, rounding);
  }
  result.is_strict = true;
  return result;
}

Function make_softplus() {
  Function function;
  function.name = "log1pexp";
  function.domain = every_x;
  function.series = softplus_series;
  function.value = softplus_value;
  function.exactness = [](mpfr_srcptr) { return Exactness::inexact; };
  return between(0, unbounded, rising_from(-unbounded, std::move(function)));
}

} // namespace

const Function& softplus() {
  static const Function function = make_softplus();
  return function;
}

} // namespace tmd::function
