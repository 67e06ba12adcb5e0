#include "host/function/special_values.hpp"

#include "host/function/catalogue.hpp"
#include "host/verify/rounded_value.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tmd {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

number::Mpfr number_of(double value) {
  number::Mpfr x(64);
  mpfr_set_d(x, value, MPFR_RNDN);
  return x;
}

double special(const char* name, double x) {
  const auto value = function::special_value(name, number_of(x));
  REQUIRE(value);
  return mpfr_get_d(*value, MPFR_RNDN);
}

// Whether both are the same number, with the sign of zero, or both are none.
bool same(double left, double right) {
  return (std::isnan(left) && std::isnan(right)) || (left == right && std::signbit(left) == std::signbit(right));
}

int lgamma_of(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(y, &sign, x, rounding);
}

struct Known {
  const char* name;
  int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  std::vector<double> poles;
};

} // namespace

TEST_CASE("special values: MPFR has the same at infinities and at poles") {
  const std::array<Known, 25> functions{{{"acosh", mpfr_acosh, {}},
                                         {"asinh", mpfr_asinh, {}},
                                         {"cbrt", mpfr_cbrt, {}},
                                         {"cos", mpfr_cos, {}},
                                         {"cosh", mpfr_cosh, {}},
                                         {"erf", mpfr_erf, {}},
                                         {"erfc", mpfr_erfc, {}},
                                         {"exp", mpfr_exp, {}},
                                         {"exp10", mpfr_exp10, {}},
                                         {"exp2", mpfr_exp2, {}},
                                         {"expm1", mpfr_expm1, {}},
                                         {"lgamma", lgamma_of, {0.0, -0.0, -1, -2, -1000}},
                                         {"log", mpfr_log, {0.0, -0.0}},
                                         {"log10", mpfr_log10, {0.0, -0.0}},
                                         {"log1p", mpfr_log1p, {-1}},
                                         {"log2", mpfr_log2, {0.0, -0.0}},
                                         {"rsqrt", mpfr_rec_sqrt, {0.0}},
                                         {"sin", mpfr_sin, {}},
                                         {"sinh", mpfr_sinh, {}},
                                         {"sqrt", mpfr_sqrt, {}},
                                         {"tan", mpfr_tan, {}},
                                         {"tanh", mpfr_tanh, {}},
                                         {"tgamma", mpfr_gamma, {0.0, -0.0, -1, -2, -1000}},
                                         {"y0", mpfr_y0, {0.0}},
                                         {"y1", mpfr_y1, {0.0}}}};
  for (const Known& known : functions) {
    const std::string name = known.name;
    std::vector<double> arguments = known.poles;
    if (name != "y0" && name != "y1")
      arguments.insert(arguments.end(), {infinity, -infinity});
    for (const double x : arguments) {
      CAPTURE(name);
      CAPTURE(x);
      number::Mpfr expected(64);
      known.function(expected, number_of(x), MPFR_RNDN);
      CHECK(same(special(known.name, x), mpfr_get_d(expected, MPFR_RNDN)));
    }
  }
}

TEST_CASE("special values: those that C23 added") {
  CHECK(same(special("rsqrt", -0.0), -infinity)); // MPFR gives another sign
  CHECK(same(special("recip", -infinity), -0.0));
  CHECK(same(special("atanh", -1), -infinity));
  CHECK(same(special("atanpi", -infinity), -0.5));
  CHECK(same(special("log2p1", -1), -infinity));
  CHECK(same(special("exp10m1", -infinity), -1));
  CHECK(std::isnan(special("sinpi", infinity)));
  for (const double x : {0.5, -1.5, 2.5, 1e6 + 0.5})
    CHECK(same(special("tanpi", x), infinity));
  for (const double x : {-0.5, 1.5, -2.5, 1e6 - 0.5})
    CHECK(same(special("tanpi", x), -infinity));
  CHECK_FALSE(function::special_value("j0", number_of(infinity)));
  CHECK_FALSE(function::special_value("pown:3", number_of(infinity)));
}

TEST_CASE("special values: what C asks of a function at any x") {
  const Format format = find_format("binary32");
  const auto value = [&](const char* name, double x) {
    return verify::value_in_c(function::find_function(name), format, number_of(x));
  };
  const auto right = [&](const char* name, double x, Direction direction) {
    return mpfr_get_d(*value(name, x)->in(direction), MPFR_RNDN);
  };
  CHECK(right("exp", 0, Direction::upward) == 1);
  CHECK(right("atan", infinity, Direction::upward) == 0x1.921fb6p+0);
  CHECK(right("atan", infinity, Direction::downward) == 0x1.921fb4p+0);
  CHECK(right("atan", -infinity, Direction::toward_zero) == -0x1.921fb4p+0);
  CHECK(right("log", 0, Direction::toward_zero) == -infinity);
  CHECK(std::isnan(right("log", -1, Direction::nearest)));
  CHECK(std::isnan(right("asin", infinity, Direction::nearest)));
  CHECK(std::isnan(right("exp", std::numeric_limits<double>::quiet_NaN(), Direction::nearest)));
  CHECK_FALSE(value("j0", infinity));
}

} // namespace tmd
