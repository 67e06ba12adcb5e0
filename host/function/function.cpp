#include "function/function.hpp"

#include <utility>

namespace tmd {

std::function<ValueEnclosure(mpfr_srcptr, long)>
correctly_rounded(std::function<int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)> evaluate) {
  return [evaluate = std::move(evaluate)](mpfr_srcptr x, long precision) {
    // Rounded towards zero, so that this end lies in the binade of the value.
    ValueEnclosure value(precision);
    const bool exact = evaluate(value.lower, x, MPFR_RNDZ) == 0;
    if (mpfr_number_p(value.lower) == 0) // infinite at a pole
      return ValueEnclosure(precision);
    mpfr_set(value.upper, value.lower, MPFR_RNDN);
    if (!exact && mpfr_signbit(static_cast<mpfr_srcptr>(value.lower)) != 0)
      mpfr_nextbelow(value.lower);
    else if (!exact)
      mpfr_nextabove(value.upper);
    return value;
  };
}

Arb enclose(const Function& function, arb_srcptr x, long precision) {
  constexpr long order = 3;
  Arb middle;
  Arb displacement;
  arb_get_mid_arb(middle, x);
  arb_get_rad_arb(displacement, x);
  ArbVector at_middle(order);
  ArbVector over_all(order + 1);
  function.series(at_middle.data(), middle, order, precision);
  function.series(over_all.data(), x, order + 1, precision);

  // f(middle + t) for |t| ≤ r: c0 + c1·t + c2·t² + c3(ball)·t³, where t² lies in r²/2 ± r²/2.
  Arb half_square;
  arb_mul(half_square, displacement, displacement, precision);
  arb_mul_2exp_si(half_square, half_square, -1);
  Arb square(half_square);
  arb_add_error(square, half_square);
  Arb cube;
  arb_pow_ui(cube, displacement, 3, precision);
  Arb signed_cube;
  arb_add_error(signed_cube, cube);
  Arb signed_displacement;
  arb_add_error(signed_displacement, displacement);

  Arb result;
  arb_set(result, at_middle[0]);
  arb_addmul(result, at_middle[1], signed_displacement, precision);
  arb_addmul(result, at_middle[2], square, precision);
  arb_addmul(result, over_all[3], signed_cube, precision);
  return result;
}

} // namespace tmd
