#include "function/function.hpp"

#include "function/taylor_form.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

// The factor 2^exponent as text: "8 ", "2^-5 ", empty for 1.
std::string power_of_two(int exponent) {
  if (exponent == 0)
    return "";
  return exponent > 0 && exponent <= 10 ? fmt::format("{} ", 1 << exponent) : fmt::format("2^{} ", exponent);
}

std::string plus(int addend) { return addend == 0 ? "" : fmt::format(" + {}", addend); }

} // namespace

std::string_view to_string(Symmetry symmetry) {
  switch (symmetry) {
  case Symmetry::even:
    return "even";
  case Symmetry::odd:
    return "odd";
  case Symmetry::none:
    break;
  }
  return "none";
}

std::string function::to_string(const function::Scaling& scaling) {
  return fmt::format("f({}x{}) = {}{}f(x){}", power_of_two(scaling.argument_exponent), plus(scaling.argument_addend),
                     scaling.factor < 0 ? "-" : "", power_of_two(scaling.value_exponent), plus(scaling.value_addend));
}

std::function<function::ValueEnclosure(mpfr_srcptr, long)>
function::correctly_rounded(std::function<int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)> evaluate) {
  return [evaluate = std::move(evaluate)](mpfr_srcptr x, long precision) {
    // Rounded toward zero, so that this end lies in the value's binade.
    function::ValueEnclosure value(precision);
    const bool exact = evaluate(value.lower, x, MPFR_RNDZ) == 0;
    if (mpfr_number_p(value.lower) == 0) // infinite at a pole
      return function::ValueEnclosure(precision);
    value.is_strict = !exact;
    mpfr_set(value.upper, value.lower, MPFR_RNDN);
    if (!exact && mpfr_signbit(static_cast<mpfr_srcptr>(value.lower)) != 0)
      mpfr_nextbelow(value.lower);
    else if (!exact)
      mpfr_nextabove(value.upper);
    return value;
  };
}

number::Arb function::enclose(const function::Function& function, arb_srcptr x, long precision) {
  number::Arb result;
  function::taylor_form(function.series, function.series, 3, result, x, 1, precision);
  return result;
}

} // namespace tmd
