// Enclosures and series of functions, and functions that carry state.
#include "host/function/catalogue.hpp"
#include "unit/ranges.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace tmd::function {

namespace {

// factor·x², on [−1, 1]: a function that keeps a number of its own.
Function scaled_square(const std::string& name, long factor) {
  Function f;
  f.name = name;
  f.domain = {-1, true, 1, true, "-1 <= x <= 1"};
  f.series = [factor](arb_ptr coefficients, arb_srcptr x, long length, long precision) {
    number::Arb scale;
    arb_set_si(scale, factor);
    _arb_vec_zero(coefficients, length);
    arb_mul(coefficients, x, x, precision);
    if (length > 1)
      arb_mul_2exp_si(coefficients + 1, x, 1);
    if (length > 2)
      arb_one(coefficients + 2);
    _arb_vec_scalar_mul(coefficients, coefficients, length, scale, precision);
  };
  f.value = [factor](mpfr_srcptr x, long precision) {
    number::Mpfr square(2 * mpfr_get_prec(x));
    mpfr_sqr(square, x, MPFR_RNDN);
    ValueEnclosure value(precision);
    mpfr_mul_si(value.lower, square, factor, MPFR_RNDD);
    mpfr_mul_si(value.upper, square, factor, MPFR_RNDU);
    return value;
  };
  f.exactness = [](mpfr_srcptr) { return Exactness::exact; };
  return f;
}

} // namespace

TEST_CASE("enclosures hold MPFR's values") {
  std::mt19937_64 random(1);
  std::size_t wrong = 0;
  std::size_t tested = 0;
  for (const Function& f : functions()) {
    for (int i = 0; i < 300; ++i) {
      // A ball anywhere, of any width, and a point of it.
      const double centre =
          std::ldexp(1 + static_cast<double>(random() % 1000) / 1000, static_cast<int>(random() % 12) - 6) *
          (random() % 2 == 0 ? -1 : 1);
      const double width = std::ldexp(std::fabs(centre), -1 - static_cast<int>(random() % 60));
      number::Arb ball;
      arb_set_d(ball, centre);
      number::Arb radius;
      arb_set_d(radius, width);
      arb_add_error(ball, radius);
      const number::Arb enclosure = enclose(f, ball, 100);
      number::Mpfr x(200);
      mpfr_set_d(x, width, MPFR_RNDN);
      mpfr_mul_d(x, x, static_cast<double>(static_cast<int>(random() % 2001) - 1000) / 1000, MPFR_RNDZ);
      mpfr_add_d(x, x, centre, MPFR_RNDN);
      const number::Mpfr y = tmd::value_of(f, x, 200);
      if (mpfr_number_p(static_cast<mpfr_srcptr>(y)) == 0) {
        wrong += arb_is_finite(enclosure) != 0;
        continue;
      }
      number::Arb point;
      arf_set_mpfr(arb_midref(static_cast<arb_ptr>(point)), y);
      mag_set_ui_2exp_si(arb_radref(static_cast<arb_ptr>(point)), 1,
                         mpfr_zero_p(y) != 0 ? -1000 : mpfr_get_exp(y) - 199);
      wrong += arb_overlaps(enclosure, point) == 0;
      tested += arb_is_finite(enclosure) != 0;
    }
  }
  CHECK(wrong == 0);
  CHECK(tested > 5000);
}

TEST_CASE("a function may keep a state of its own") {
  std::vector<Function> some;
  for (const long factor : {3L, -5L})
    some.push_back(scaled_square("a name that no short string holds " + std::to_string(factor), factor));
  const std::vector<Function> copies = some;
  some.clear();
  number::Mpfr x(64);
  mpfr_set_d(x, 0.5, MPFR_RNDN);
  CHECK(mpfr_cmp_d(copies[0].value(x, 60).lower, 0.75) == 0);
  CHECK(mpfr_cmp_d(copies[1].value(x, 60).upper, -1.25) == 0);
  CHECK(copies[1].name == "a name that no short string holds -5");
  number::Arb ball;
  arb_set_d(ball, 0.5);
  number::Arb radius;
  arb_set_d(radius, 0.25);
  arb_add_error(ball, radius);
  const number::Arb over_ball = enclose(copies[0], ball, 100); // 3·[0.0625, 0.5625]
  for (const double inside : {0.1875, 1.6875}) {
    number::Arb point;
    arb_set_d(point, inside);
    CHECK(arb_contains(over_ball, point) != 0);
  }
  number::Arb beyond;
  arb_set_d(beyond, 1.8);
  CHECK(arb_overlaps(over_ball, beyond) == 0);
}

} // namespace tmd::function
