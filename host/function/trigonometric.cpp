#include "function/trigonometric.hpp"

#include "function/entry.hpp"
#include "function/recurrence.hpp"
#include "function/taylor_form.hpp"

namespace tmd {

namespace {

// From the sine and the cosine of x, in units of 1/factor: f″ = −factor²·f.
void sine_series(arb_ptr coefficients, arb_srcptr value, arb_srcptr derivative, arb_srcptr factor, long length,
                 long precision) {
  arb_set(coefficients, value);
  if (length < 2)
    return;
  Arb square;
  arb_mul(square, factor, factor, precision);
  arb_neg(square, square);
  arb_mul(coefficients + 1, derivative, factor, precision);
  continue_oscillation(coefficients, square, length, precision);
}

void sin_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb sine;
  Arb cosine;
  Arb one;
  arb_one(one);
  arb_sin_cos(sine, cosine, x, precision);
  sine_series(coefficients, sine, cosine, one, length, precision);
}

void cos_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb sine;
  Arb cosine;
  Arb one;
  arb_one(one);
  arb_sin_cos(sine, cosine, x, precision);
  arb_neg(sine, sine);
  sine_series(coefficients, cosine, sine, one, length, precision);
}

// π·x would lose what large arguments have of x modulo 2.
void sinpi_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb sine;
  Arb cosine;
  Arb pi;
  arb_const_pi(pi, precision);
  arb_sin_cos_pi(sine, cosine, x, precision);
  sine_series(coefficients, sine, cosine, pi, length, precision);
}

void cospi_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb sine;
  Arb cosine;
  Arb pi;
  arb_const_pi(pi, precision);
  arb_sin_cos_pi(sine, cosine, x, precision);
  arb_neg(sine, sine);
  sine_series(coefficients, cosine, sine, pi, length, precision);
}

// tan′ = 1 + tan².
void tan_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb one;
  arb_one(one);
  arb_tan(coefficients, x, precision);
  continue_riccati(coefficients, 1, one, one, length, precision);
}

void tanpi_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb pi;
  arb_const_pi(pi, precision);
  arb_tan_pi(coefficients, x, precision);
  continue_riccati(coefficients, 1, pi, pi, length, precision);
}

} // namespace

std::vector<Function> trigonometric_functions() {
  return {
      entry("cos", "cosine", every_x, Symmetry::even, cos_series, mpfr_cos, exact_at_zero()),
      entry("cospi", "cosine of pi x", every_x, Symmetry::even, in_taylor_form(cospi_series), mpfr_cospi,
            exact_at_half_integers(), Scaling{0, 1, -1, 0, 0}),
      entry("sin", "sine", every_x, Symmetry::odd, sin_series, mpfr_sin, exact_at_zero()),
      entry("sinpi", "sine of pi x", every_x, Symmetry::odd, in_taylor_form(sinpi_series), mpfr_sinpi,
            exact_at_half_integers(), Scaling{0, 1, -1, 0, 0}),
      entry("tan", "tangent", every_x, Symmetry::odd, in_taylor_form(tan_series), mpfr_tan, exact_at_zero()),
      entry("tanpi", "tangent of pi x", every_x_but("odd multiples of 1/2"), Symmetry::odd,
            in_taylor_form(tanpi_series), mpfr_tanpi, exact_at_quarter_integers(), Scaling{0, 1, 1, 0, 0}),
  };
}

} // namespace tmd
