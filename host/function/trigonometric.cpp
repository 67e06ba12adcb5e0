#include "function/trigonometric.hpp"

#include "function/entry.hpp"
#include "function/recurrence.hpp"
#include "function/taylor_form.hpp"

namespace tmd::function {

namespace {

// Arb's sine and cosine, of x or of πx, and the factor that derivatives have.
struct SineAndCosine {
  void (*both)(arb_ptr sine, arb_ptr cosine, arb_srcptr x, long precision);
  Constant factor;
};

constexpr SineAndCosine of_x{arb_sin_cos, [](arb_ptr value, long /*precision*/) { arb_one(value); }};
constexpr SineAndCosine of_pi_x{arb_sin_cos_pi, arb_const_pi}; // sin(π·x) would lose what large x have modulo 2

enum class Part { sine, cosine };

Series series_of(Part part, const SineAndCosine& of) {
  return [part, of](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    number::Arb sine;
    number::Arb cosine;
    number::Arb factor;
    of.factor(factor, precision);
    of.both(sine, cosine, x, precision);
    if (part == Part::cosine) { // whose derivative is −sine
      arb_neg(sine, sine);
      arb_swap(sine, cosine);
    }
    set_oscillation(coefficients, sine, cosine, factor, -1, length, precision);
  };
}

// tan′ = 1 + tan².
void tan_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb unit;
  arb_one(unit);
  arb_tan(coefficients, x, precision);
  continue_riccati(coefficients, 1, unit, unit, length, precision);
}

void tanpi_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  number::Arb factor;
  arb_const_pi(factor, precision);
  arb_tan_pi(coefficients, x, precision);
  continue_riccati(coefficients, 1, factor, factor, length, precision);
}

} // namespace

std::vector<Function> trigonometric_functions() {
  const Series sine_of_phase = series_of(Part::sine, of_pi_x);
  return {
      of_phase(
          {sine_of_phase, arb_const_pi, Phase::Kind::folded, true},
          entry("cos", "cosine", every_x, Symmetry::even, series_of(Part::cosine, of_x), mpfr_cos, exact_at_zero())),
      entry("cospi", "cosine of pi x", every_x, Symmetry::even, in_taylor_form(series_of(Part::cosine, of_pi_x)),
            mpfr_cospi, exact_at_half_integers(), Scaling{0, 1, -1, 0, 0}),
      of_phase({sine_of_phase, arb_const_pi, Phase::Kind::folded, false},
               entry("sin", "sine", every_x, Symmetry::odd, series_of(Part::sine, of_x), mpfr_sin, exact_at_zero())),
      beside_line("x*pi",
                  entry("sinpi", "sine of pi x", every_x, Symmetry::odd, in_taylor_form(series_of(Part::sine, of_pi_x)),
                        mpfr_sinpi, exact_at_half_integers(), Scaling{0, 1, -1, 0, 0})),
      of_phase({tanpi_series, arb_const_pi, Phase::Kind::folded, false, true},
               entry("tan", "tangent", every_x, Symmetry::odd, in_taylor_form(tan_series), mpfr_tan, exact_at_zero())),
      beside_line("x*pi",
                  entry("tanpi", "tangent of pi x", every_x_but("odd multiples of 1/2"), Symmetry::odd,
                        in_taylor_form(tanpi_series), mpfr_tanpi, exact_at_quarter_integers(), Scaling{0, 1, 1, 0, 0})),
  };
}

} // namespace tmd::function
