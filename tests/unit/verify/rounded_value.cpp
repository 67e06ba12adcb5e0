// Values rounded to a format: against MPFR's own subnormal numbers and overflow, and of functions at their extremes.
#include "host/verify/rounded_value.hpp"
#include "host/format/argument.hpp"
#include "host/function/catalogue.hpp"
#include "host/function/expression.hpp"
#include "host/number/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace tmd::verify {

namespace {

constexpr mpfr_rnd_t mpfr_directions[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};

// The same by MPFR with the exponents of the format.
std::string by_mpfr(const Format& format, mpfr_srcptr y, mpfr_rnd_t direction) {
  const mpfr_exp_t least = mpfr_get_emin();
  const mpfr_exp_t greatest = mpfr_get_emax();
  number::Mpfr result(format.precision);
  int ternary = mpfr_set(result, y, direction);
  mpfr_set_emin(format.min_exponent - format.precision + 2);
  mpfr_set_emax(format.max_exponent + 1);
  ternary = mpfr_check_range(result, ternary, direction);
  mpfr_subnormalize(result, ternary, direction);
  mpfr_set_emin(least);
  mpfr_set_emax(greatest);
  return to_hex(mpfr_srcptr(result));
}

std::string rounded(const function::Function& function, const char* format, const char* x, Direction direction) {
  const Format numbers = find_format(format);
  const format::ArgumentSet set(numbers, numbers.precision);
  const auto value = rounded_value(function, numbers, format::to_mpfr(set.at(set.parse(x, "x"))));
  REQUIRE(value);
  REQUIRE(value->in(direction));
  return to_hex(mpfr_srcptr(*value->in(direction)));
}

std::string exp_in_binary64(const char* x, Direction direction) {
  return rounded(function::find_function("exp"), "binary64", x, direction);
}

} // namespace

TEST_CASE("numbers of every size round as MPFR rounds them") {
  number::Random random(1);
  for (const char* name : {"binary16", "bfloat16", "binary32", "binary64", "binary80"}) {
    const Format format = find_format(name);
    CAPTURE(name);
    for (int i = 0; i < 4000; ++i) {
      // Few bits, so that breakpoints are among them; exponents around both ends and in between.
      const auto significand = random.below(std::uint64_t{1} << (i % 2 == 0 ? 4 : 63)) + 1;
      const int length = bit_length(significand);
      const int spread = static_cast<int>(random.below(2 * static_cast<unsigned>(format.precision) + 8)) - 4;
      const int exponent = i % 3 == 0   ? format.max_exponent + 4 - spread
                           : i % 3 == 1 ? format.min_exponent - format.precision - 4 + spread
                                        : spread;
      const number::Mpfr y = format::to_mpfr(Argument{random.below(2) == 1, significand, exponent - length + 1});
      for (std::size_t d = 0; d < directions.size(); ++d) {
        CAPTURE(d);
        CAPTURE(to_hex(mpfr_srcptr(y)));
        CHECK(to_hex(mpfr_srcptr(round_to(format, y, directions.at(d)))) == by_mpfr(format, y, mpfr_directions[d]));
      }
    }
  }
}

TEST_CASE("what is infinite overflows, what is no number stays so") {
  const Format format = find_format("binary16");
  number::Mpfr y(10);
  mpfr_set_inf(y, -1);
  CHECK(to_hex(mpfr_srcptr(round_to(format, y, Direction::nearest))) == "-inf");
  CHECK(to_hex(mpfr_srcptr(round_to(format, y, Direction::upward))) == "-0x1.ffcp+15");
  CHECK(to_hex(mpfr_srcptr(round_to(format, y, Direction::downward))) == "-inf");
  CHECK(to_hex(mpfr_srcptr(round_to(format, y, Direction::toward_zero))) == "-0x1.ffcp+15");
  mpfr_set_nan(y);
  CHECK(to_hex(mpfr_srcptr(round_to(format, y, Direction::nearest))) == "nan");
}

TEST_CASE("values of exp in binary64: a hard case, an exact one, subnormal ones, beyond both ends") {
  const char* hard = "0x1.aca7ae8da5a7bp+0";
  number::Mpfr x(53);
  number::Mpfr y(53);
  mpfr_set_str(x, hard, 0, MPFR_RNDN);
  for (std::size_t d = 0; d < directions.size(); ++d) {
    mpfr_exp(y, x, mpfr_directions[d]);
    CHECK(exp_in_binary64(hard, directions.at(d)) == to_hex(mpfr_srcptr(y)));
  }
  for (const Direction direction : directions)
    CHECK(exp_in_binary64("0", direction) == "0x1p+0");
  CHECK(exp_in_binary64("-0x1.7490a3d70a3d7p+9", Direction::nearest) == "0x1p-1074");
  CHECK(exp_in_binary64("-1e6", Direction::nearest) == "0x0p+0");
  CHECK(exp_in_binary64("-1e6", Direction::upward) == "0x1p-1074");
  CHECK(exp_in_binary64("-0x1p+996", Direction::upward) == "0x1p-1074");
  CHECK(exp_in_binary64("-0x1p+996", Direction::toward_zero) == "0x0p+0");
  CHECK(exp_in_binary64("0x1p+996", Direction::upward) == "inf");
  CHECK(exp_in_binary64("0x1p+996", Direction::downward) == "0x1.fffffffffffffp+1023");
}

TEST_CASE("a value that cannot be told from a breakpoint is rounded where that does not matter only") {
  const function::Function identity = function::make_expression("exp(log(x))");
  const Format format = find_format("binary32");
  number::Mpfr x(24);
  mpfr_set_d(x, 1.5, MPFR_RNDN);
  const auto value = rounded_value(identity, format, x);
  REQUIRE(value);
  CHECK(value->in(Direction::nearest));
  CHECK_FALSE(value->in(Direction::upward));
  CHECK_FALSE(value->in(Direction::downward));
  mpfr_set_d(x, -1, MPFR_RNDN);
  CHECK_FALSE(rounded_value(identity, format, x));
}

TEST_CASE("one value in MPFR tells on which side of a limit, or of any number, an inexact value lies") {
  const Format format = find_format("binary32");
  struct Place {
    const char* function;
    const char* x;
    std::array<const char*, 4> rounded; // in the order nearest, upward, downward, toward zero
  };
  for (const Place& place : {Place{"erf", "0x1p100", {"0x1p+0", "0x1p+0", "0x1.fffffep-1", "0x1.fffffep-1"}},
                             Place{"tanh", "-0x1p100", {"-0x1p+0", "-0x1.fffffep-1", "-0x1p+0", "-0x1.fffffep-1"}},
                             Place{"expm1", "-0x1p20", {"-0x1p+0", "-0x1.fffffep-1", "-0x1p+0", "-0x1.fffffep-1"}},
                             Place{"erfc", "-0x1p20", {"0x1p+1", "0x1p+1", "0x1.fffffep+0", "0x1.fffffep+0"}},
                             Place{"cosh", "0x1p-140", {"0x1p+0", "0x1.000002p+0", "0x1p+0", "0x1p+0"}},
                             Place{"sinh", "-0x1p-100", {"-0x1p-100", "-0x1p-100", "-0x1.000002p-100", "-0x1p-100"}}}) {
    CAPTURE(place.function);
    function::Function function = function::find_function(place.function);
    int asked = 0;
    function.value = [&, value = function.value](mpfr_srcptr x, long precision) {
      ++asked;
      return value(x, precision);
    };
    number::Mpfr x(24);
    mpfr_set_str(x, place.x, 0, MPFR_RNDN);
    const auto value = rounded_value(function, format, x);
    REQUIRE(value);
    CHECK(asked == 1);
    for (std::size_t d = 0; d < directions.size(); ++d)
      CHECK(to_hex(mpfr_srcptr(*value->in(directions.at(d)))) == place.rounded.at(d));
    // The result rounded to nearest errs by less than half an ulp of the binade below the limit, and by more than
    // nothing.
    const double error = error_in_ulps(*value, format, *value->in(Direction::nearest));
    CHECK(error != 0);
    CHECK(std::fabs(error) < 0x1p-60);
    const double other = error_in_ulps(*value, format, *value->in(Direction::toward_zero));
    CHECK(std::fabs(other) == (std::fabs(mpfr_get_d(x, MPFR_RNDN)) > 1 ? 1 : std::fabs(error)));
  }
}

TEST_CASE("errors are in ulps at the value, subnormal ones and overflow included") {
  const Format format = find_format("binary64");
  number::Mpfr x(53);
  number::Mpfr y(53);
  mpfr_set_d(x, 4, MPFR_RNDN);
  const auto two = rounded_value(function::find_function("sqrt"), format, x);
  REQUIRE(two);
  mpfr_set_d(y, 2, MPFR_RNDN);
  CHECK(error_in_ulps(*two, format, y) == 0);
  mpfr_nextabove(y);
  CHECK(error_in_ulps(*two, format, y) == 1);
  mpfr_set_nan(y);
  CHECK(std::isinf(error_in_ulps(*two, format, y)));

  mpfr_set_d(x, 1024, MPFR_RNDN);
  const auto largest = rounded_value(function::find_function("exp2"), format, x); // 2^1024
  REQUIRE(largest);
  mpfr_set_inf(y, 1);
  CHECK(error_in_ulps(*largest, format, y) == 0);
  mpfr_set_d(x, -1074, MPFR_RNDN);
  const auto least = rounded_value(function::find_function("exp2"), format, x);
  REQUIRE(least);
  mpfr_set_zero(y, 1);
  CHECK(error_in_ulps(*least, format, y) == -1);
}

TEST_CASE("errors are rounded away from zero: none that is too large looks allowed, none looks like nothing") {
  const Format format = find_format("binary64");
  number::Mpfr x(53);
  number::Mpfr y(53);
  mpfr_set_str(x, "0x1.aca7ae8da5a7bp+0", 0, MPFR_RNDN); // 53.99 bits from a midpoint
  const auto hard = rounded_value(function::find_function("exp"), format, x);
  REQUIRE(hard);
  const double right = error_in_ulps(*hard, format, *hard->in(Direction::nearest));
  mpfr_set(y, *hard->in(Direction::nearest), MPFR_RNDN);
  if (right > 0)
    mpfr_nextbelow(y);
  else
    mpfr_nextabove(y);
  const double wrong = error_in_ulps(*hard, format, y);
  CHECK(std::fabs(wrong) > 0.5);
  CHECK(std::fabs(wrong) < 0.5 + 1e-15);
  CHECK((wrong > 0) != (right > 0));
  mpfr_set_d(x, -0x1p+996, MPFR_RNDN);
  const auto tiny = rounded_value(function::find_function("exp"), format, x);
  REQUIRE(tiny);
  mpfr_set_zero(y, 1);
  CHECK(error_in_ulps(*tiny, format, y) < 0);
  CHECK(tiny->is_beside_zero);
}

TEST_CASE("where there is no value, what is not a number is right") {
  const Format format = find_format("binary64");
  const RoundedValue none = not_a_number(format);
  number::Mpfr y(53);
  CHECK(error_in_ulps(none, format, y) == 0);
  mpfr_set_d(y, 1, MPFR_RNDN);
  CHECK(std::isinf(error_in_ulps(none, format, y)));
}

} // namespace tmd::verify
