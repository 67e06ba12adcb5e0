#include "function/special_values.hpp"

#include "function/entry.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>

namespace tmd::function {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

struct AtInfinities {
  std::string_view name;
  double minus;
  double plus;
};

constexpr std::array<AtInfinities, 32> at_infinities{{{"acosh", no_number, unbounded},
                                                      {"asinh", -unbounded, unbounded},
                                                      {"atanpi", -0.5, 0.5},
                                                      {"cbrt", -unbounded, unbounded},
                                                      {"cos", no_number, no_number},
                                                      {"cosh", unbounded, unbounded},
                                                      {"cospi", no_number, no_number},
                                                      {"erf", -1, 1},
                                                      {"erfc", 2, 0},
                                                      {"exp", 0, unbounded},
                                                      {"exp10", 0, unbounded},
                                                      {"exp10m1", -1, unbounded},
                                                      {"exp2", 0, unbounded},
                                                      {"exp2m1", -1, unbounded},
                                                      {"expm1", -1, unbounded},
                                                      {"lgamma", unbounded, unbounded},
                                                      {"log", no_number, unbounded},
                                                      {"log10", no_number, unbounded},
                                                      {"log10p1", no_number, unbounded},
                                                      {"log1p", no_number, unbounded},
                                                      {"log2", no_number, unbounded},
                                                      {"log2p1", no_number, unbounded},
                                                      {"recip", -0.0, 0},
                                                      {"rsqrt", no_number, 0},
                                                      {"sin", no_number, no_number},
                                                      {"sinh", -unbounded, unbounded},
                                                      {"sinpi", no_number, no_number},
                                                      {"sqrt", no_number, unbounded},
                                                      {"tan", no_number, no_number},
                                                      {"tanh", -1, 1},
                                                      {"tanpi", no_number, no_number},
                                                      {"tgamma", no_number, unbounded}}};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether x is n + 1/2 for an even n.
bool is_half_above_even(mpfr_srcptr x) {
  number::Mpfr n(mpfr_get_prec(x));
  mpfr_floor(n, x);
  mpfr_div_2ui(n, n, 1, MPFR_RNDN);
  return mpfr_integer_p(n) != 0;
}

std::optional<double> value_at_pole(std::string_view name, mpfr_srcptr x) {
  const bool is_zero = mpfr_zero_p(x) != 0;
  const bool is_negative = mpfr_signbit(x) != 0; // also −0
  if (is_zero && is_one_of(name, {"log", "log2", "log10", "y0", "y1"}))
    return -unbounded;
  if (mpfr_cmp_si(x, -1) == 0 && is_one_of(name, {"log1p", "log2p1", "log10p1"}))
    return -unbounded;
  if ((is_zero && is_one_of(name, {"recip", "rsqrt", "tgamma"})) || name == "atanh")
    return is_negative ? -unbounded : unbounded;
  if (name == "lgamma")
    return unbounded;
  if (name == "tgamma")
    return no_number;
  if (name == "tanpi")
    return is_half_above_even(x) ? unbounded : -unbounded;
  return std::nullopt;
}

} // namespace

std::optional<number::Mpfr> special_value(std::string_view name, mpfr_srcptr x) {
  std::optional<double> value;
  if (mpfr_inf_p(x) == 0)
    value = value_at_pole(name, x);
  else
    for (const AtInfinities& row : at_infinities)
      if (row.name == name)
        value = mpfr_signbit(x) != 0 ? row.minus : row.plus;
  if (!value)
    return std::nullopt;
  number::Mpfr result(2);
  mpfr_set_d(result, *value, MPFR_RNDN);
  return result;
}

} // namespace tmd::function
