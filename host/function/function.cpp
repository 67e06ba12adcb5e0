#include "function/function.hpp"

#include "function/taylor_form.hpp"

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
  Arb result;
  taylor_form(function.series, 3, result, x, 1, precision);
  return result;
}

} // namespace tmd
