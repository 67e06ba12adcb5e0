#include "number/hull.hpp"

namespace tmd::number {

long exponent_above(arf_srcptr y) {
  if (arf_is_zero(y) != 0)
    return no_exponent;
  Integer exponent;
  arf_abs_bound_lt_2exp_fmpz(exponent, y);
  if (arf_is_finite(y) == 0 || fmpz_bits(exponent) > 40)
    return arf_is_finite(y) == 0 || fmpz_sgn(exponent) > 0 ? far_beyond : no_exponent;
  return fmpz_get_si(exponent);
}

int compare(const Arb& thin, const Integer& number) {
  Arb other;
  arb_set_fmpz(other, number);
  return arf_cmp(mid(thin), mid(other));
}

Hull Hull::of(arb_srcptr ball, long precision) {
  Hull hull;
  arb_get_lbound_arf(mid(hull.lower), ball, precision);
  arb_get_ubound_arf(mid(hull.upper), ball, precision);
  return hull;
}

void Hull::add(const Hull& other) {
  if (arf_cmp(mid(other.lower), mid(lower)) < 0)
    arb_set(lower, other.lower);
  if (arf_cmp(mid(other.upper), mid(upper)) > 0)
    arb_set(upper, other.upper);
}

Hull Hull::negated() const {
  Hull hull;
  arb_neg(hull.lower, upper);
  arb_neg(hull.upper, lower);
  return hull;
}

bool Hull::contains(const Integer& number) const { return compare(lower, number) <= 0 && compare(upper, number) >= 0; }

bool Hull::is_near(const Integer& number, long exponent) const {
  Arb reach;
  arb_one(reach);
  arb_mul_2exp_si(reach, reach, exponent);
  Arb least;
  Arb greatest;
  arb_set_fmpz(least, number);
  arb_sub(least, least, reach, ARF_PREC_EXACT);
  arb_set_fmpz(greatest, number);
  arb_add(greatest, greatest, reach, ARF_PREC_EXACT);
  return arf_cmp(mid(lower), mid(least)) > 0 && arf_cmp(mid(upper), mid(greatest)) < 0;
}

} // namespace tmd::number
