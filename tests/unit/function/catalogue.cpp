// What the catalogue's rows promise.
#include "host/function/catalogue.hpp"
#include "host/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

using namespace tmd;

namespace {

// ±m·2^e with few bits, so that exact values are among those of every function.
Mpfr simple_number(std::mt19937_64& random) {
  Mpfr x(64);
  const auto significand = static_cast<long>(random() % 2001) - 1000;
  const int exponent = static_cast<int>(random() % 12) - 9;
  mpfr_set_si_2exp(x, significand, exponent, MPFR_RNDN);
  return x;
}

} // namespace

TEST_CASE("catalogue: sorted by name, complete rows, unknown names refused") {
  const auto all = functions();
  CHECK(std::is_sorted(all.begin(), all.end(), [](const Function& a, const Function& b) { return a.name < b.name; }));
  std::string names;
  for (const Function& f : all) {
    CAPTURE(f.name);
    CHECK(&find_function(f.name) == &f);
    CHECK_FALSE(f.description.empty());
    CHECK_FALSE(f.domain.text.empty());
    CHECK_FALSE(f.exact_cases.empty());
    CHECK((f.series && f.value && f.exactness));
    names += names.empty() ? f.name : ", " + f.name;
  }
  try {
    (void)find_function("sinh");
    FAIL("sinh is known");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()) == "unknown function 'sinh'; known are " + names + "; did you mean 'sin'?");
  }
}

TEST_CASE("catalogue: values lie in their enclosures, which are one ulp wide or exact") {
  std::mt19937_64 random(1);
  for (const Function& f : functions()) {
    CAPTURE(f.name);
    std::size_t wrong = 0;
    std::size_t exact = 0;
    for (int i = 0; i < 2000; ++i) {
      Mpfr x = simple_number(random);
      if (i < 2) // 0 and 1
        mpfr_set_si(x, i, MPFR_RNDN);
      const ValueEnclosure value = f.value(x, 60);
      const ValueEnclosure better = f.value(x, 400);
      const bool inside = mpfr_cmp_d(x, f.domain.lower) > 0 && mpfr_cmp_d(x, f.domain.upper) < 0;
      wrong += value.is_undefined() == inside;
      if (value.is_undefined())
        continue;
      wrong += mpfr_lessequal_p(value.lower, better.lower) == 0 || mpfr_greaterequal_p(value.upper, better.upper) == 0;
      Mpfr next(value.lower);
      mpfr_nextabove(next);
      wrong += !value.is_exact() && mpfr_equal_p(next, value.upper) == 0;
      // 400 bits hold every dyadic value of these arguments.
      wrong += f.exactness(x) != (better.is_exact() ? Exactness::exact : Exactness::inexact);
      exact += better.is_exact();
    }
    CHECK(wrong == 0);
    CHECK(exact > 0);
  }
}

TEST_CASE("correctly rounded values: poles, the ends of MPFR's range, signs") {
  Mpfr x(64);
  mpfr_set_zero(x, 1);
  CHECK(find_function("log").value(x, 60).is_undefined()); // infinite, and MPFR calls that exact
  mpfr_set_si(x, -1, MPFR_RNDN);
  CHECK(find_function("log").value(x, 60).is_undefined());
  const Function& exp = find_function("exp");
  mpfr_set_si_2exp(x, 1, 40, MPFR_RNDN);
  const ValueEnclosure large = exp.value(x, 60);
  CHECK(mpfr_number_p(static_cast<mpfr_srcptr>(large.lower)) != 0);
  CHECK(mpfr_inf_p(static_cast<mpfr_srcptr>(large.upper)) != 0);
  mpfr_neg(x, x, MPFR_RNDN);
  const ValueEnclosure small = exp.value(x, 60);
  CHECK(mpfr_zero_p(static_cast<mpfr_srcptr>(small.lower)) != 0);
  CHECK(mpfr_sgn(static_cast<mpfr_srcptr>(small.upper)) > 0);
  CHECK_FALSE(small.is_exact());
  // −cbrt(2^40): the end towards zero is the upper one.
  mpfr_set_si_2exp(x, -1, 40, MPFR_RNDN);
  const ValueEnclosure negative = find_function("cbrt").value(x, 60);
  CHECK(mpfr_less_p(negative.lower, negative.upper) != 0);
  CHECK(mpfr_sgn(static_cast<mpfr_srcptr>(negative.upper)) < 0);
}
