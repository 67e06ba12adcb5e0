#include "function/catalogue.hpp"

#include "error.hpp"

#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Domain everywhere{-infinity, false, infinity, false, "every x"};

// exp(scale·x): coefficients exp(scale·x)·scale^j/j!.
void exponential_series(arb_ptr coefficients, arb_srcptr x, arb_srcptr scale, long length, long precision) {
  Arb scaled;
  arb_mul(scaled, x, scale, precision);
  arb_exp(coefficients, scaled, precision);
  for (long j = 1; j < length; ++j) {
    arb_mul(coefficients + j, coefficients + j - 1, scale, precision);
    arb_div_ui(coefficients + j, coefficients + j, static_cast<unsigned long>(j), precision);
  }
}

void exp_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb one;
  arb_one(one);
  exponential_series(coefficients, x, one, length, precision);
}

void exp2_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb scale;
  arb_const_log2(scale, precision);
  exponential_series(coefficients, x, scale, length, precision);
}

// log: (−1)^(j+1)/(j·x^j).
void log_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb inverse;
  Arb power;
  arb_log(coefficients, x, precision);
  arb_inv(inverse, x, precision);
  arb_neg(inverse, inverse);
  arb_set_si(power, -1);
  for (long j = 1; j < length; ++j) {
    arb_mul(power, power, inverse, precision);
    arb_div_ui(coefficients + j, power, static_cast<unsigned long>(j), precision);
  }
}

// sin: sin(x + j·π/2)/j!.
void sin_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb sine;
  Arb cosine;
  Integer factorial;
  fmpz_one(factorial);
  arb_sin_cos(sine, cosine, x, precision);
  for (long j = 0; j < length; ++j) {
    if (j > 0)
      fmpz_mul_ui(factorial, factorial, static_cast<unsigned long>(j));
    arb_div_fmpz(coefficients + j, j % 2 == 0 ? sine : cosine, factorial, precision);
    if (j % 4 >= 2)
      arb_neg(coefficients + j, coefficients + j);
  }
}

// cbrt: c_(j+1) = c_j·(1/3 − j)/((j + 1)·x); odd, and not analytic at 0.
void cbrt_series(arb_ptr coefficients, arb_srcptr x, long length, long precision) {
  Arb magnitude;
  Arb inverse;
  arb_abs(magnitude, x);
  arb_root_ui(coefficients, magnitude, 3, precision);
  if (arb_is_negative(x) != 0)
    arb_neg(coefficients, coefficients);
  else if (arb_is_positive(x) == 0)
    arb_indeterminate(coefficients);
  arb_inv(inverse, x, precision);
  for (long j = 0; j + 1 < length; ++j) {
    arb_mul(coefficients + j + 1, coefficients + j, inverse, precision);
    arb_mul_si(coefficients + j + 1, coefficients + j + 1, 1 - 3 * j, precision);
    arb_div_ui(coefficients + j + 1, coefficients + j + 1, static_cast<unsigned long>(3 * (j + 1)), precision);
  }
}

bool is_zero(mpfr_srcptr x) { return mpfr_zero_p(x) != 0; }
bool is_one(mpfr_srcptr x) { return mpfr_cmp_ui(x, 1) == 0; }
bool is_integer(mpfr_srcptr x) { return mpfr_integer_p(x) != 0; }

// x = y³ for a dyadic y: then y has no more bits than x.
bool is_cube(mpfr_srcptr x) {
  Mpfr root(mpfr_get_prec(x));
  return mpfr_cbrt(root, x, MPFR_RNDN) == 0;
}

constexpr std::array<Function, 5> catalogue{{
    {"cbrt", "cube root", everywhere, cbrt_series, mpfr_cbrt, is_cube, "x is the cube of a dyadic number"},
    {"exp", "e^x", everywhere, exp_series, mpfr_exp, is_zero, "x = 0"},
    {"exp2", "2^x", everywhere, exp2_series, mpfr_exp2, is_integer, "x is an integer"},
    {"log", "natural logarithm", {0, false, infinity, false, "x > 0"}, log_series, mpfr_log, is_one, "x = 1"},
    {"sin", "sine", everywhere, sin_series, mpfr_sin, is_zero, "x = 0"},
}};

} // namespace

std::span<const Function> functions() { return catalogue; }

const Function& find_function(std::string_view name) {
  std::string names;
  for (const Function& function : catalogue) {
    if (function.name == name)
      return function;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", function.name);
  }
  throw UsageError(fmt::format("unknown function '{}'; known are {}", name, names));
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
