#include "function/taylor_form.hpp"

#include <utility>

namespace tmd::function {

namespace {

// With four terms before the remainder, a ball of a 2^20th of its middle is overestimated by some percent at most.
constexpr long usual_order = 4;

// powers[k] = {d^k : |d| ≤ r}, r the radius of the ball.
number::ArbVector powers_of_radius(arb_srcptr ball, long count, long precision) {
  number::ArbVector powers(count);
  number::Arb radius;
  arb_get_rad_arb(radius, ball);
  for (long k = 0; k < count; ++k) {
    number::Arb power;
    arb_pow_ui(power, radius, static_cast<unsigned long>(k), precision);
    if (k > 0 && k % 2 == 0) { // [0, r^k], as r^k/2 ± r^k/2
      arb_mul_2exp_si(power, power, -1);
      arb_set(powers[k], power);
    }
    if (k == 0)
      arb_one(powers[k]);
    else
      arb_add_error(powers[k], power);
  }
  return powers;
}

} // namespace

void taylor_form(const Series& series, const Series& last, long order, arb_ptr coefficients, arb_srcptr x, long length,
                 long precision) {
  number::Arb middle;
  arb_get_mid_arb(middle, x);
  number::ArbVector at_middle(length + order - 1);
  number::ArbVector over_all(length + order);
  series(at_middle.data(), middle, length + order - 1, precision);
  last(over_all.data(), x, length + order, precision);
  combine_taylor_form(at_middle, over_all, order, coefficients, x, length, precision);
}

void combine_taylor_form(const number::ArbVector& at_middle, const number::ArbVector& over_all, long order,
                         arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  const number::ArbVector powers = powers_of_radius(x, order + 1, precision);
  number::Arb term;
  number::Integer binomial;
  for (long j = 0; j < length; ++j) {
    arb_zero(coefficients + j);
    for (long k = 0; k <= order; ++k) {
      fmpz_bin_uiui(binomial, static_cast<unsigned long>(j + k), static_cast<unsigned long>(k));
      arb_mul_fmpz(term, k < order ? at_middle[j + k] : over_all[j + k], binomial, precision);
      arb_addmul(coefficients + j, term, powers[k], precision);
    }
  }
}

Series in_taylor_form(const Series& series) { return in_taylor_form(series, series); }

Series in_taylor_form(Series series, Series last) {
  return [series = std::move(series), last = std::move(last)](arb_ptr coefficients, arb_srcptr x, long length,
                                                              long precision) {
    if (arb_is_exact(x) != 0)
      series(coefficients, x, length, precision);
    else
      taylor_form(series, last, usual_order, coefficients, x, length, precision);
  };
}

} // namespace tmd::function
