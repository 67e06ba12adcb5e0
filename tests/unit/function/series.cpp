// Series of every function of the catalogue: against MPFR's values, against themselves on numbers inside wide balls,
// and how much they overestimate.
#include "host/function/catalogue.hpp"
#include "unit/ranges.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tmd::function {

namespace {

std::vector<const Function*> all_functions() {
  std::vector<const Function*> all;
  for (const Function& function : functions())
    all.push_back(&function);
  for (const char* name :
       {"rootn:5", "rootn:-3", "rootn:-4", "pown:3", "pown:-2", "pown:13", "compound:5", "compound:-3"})
    all.push_back(&find_function(name));
  return all;
}

// A random number of 24 bits at which f has a value within 2^±4000, or nothing after some trials.
double number_in(const Function& f, std::mt19937_64& random) {
  for (;;) {
    const double significand = 1 + std::ldexp(static_cast<double>(random() % (1 << 23)), -23);
    const double x = std::ldexp(random() % 2 == 0 ? significand : -significand, static_cast<int>(random() % 20) - 12);
    if (x <= f.domain.lower || x >= f.domain.upper)
      continue;
    number::Mpfr exact(64);
    mpfr_set_d(exact, x, MPFR_RNDN);
    const number::Mpfr value = tmd::value_of(f, exact, 64);
    if (mpfr_regular_p(static_cast<mpfr_srcptr>(value)) != 0 &&
        std::labs(mpfr_get_exp(static_cast<mpfr_srcptr>(value))) < 4000)
      return x;
  }
}

// The coefficients of f at x, from differences of MPFR's values at x, x + h, …: c_j + O(h), h = 2^step·x.
std::vector<number::Mpfr> coefficients_by_differences(const Function& f, double x, long count, long step) {
  const long precision = 400 - step * (count + 1);
  std::vector<number::Mpfr> differences;
  number::Mpfr h(precision);
  mpfr_set_d(h, x, MPFR_RNDN);
  mpfr_mul_2si(h, h, step, MPFR_RNDN);
  for (long i = 0; i < count; ++i) {
    number::Mpfr point(precision);
    mpfr_mul_si(point, h, i, MPFR_RNDN);
    mpfr_add_d(point, point, x, MPFR_RNDN);
    differences.push_back(tmd::value_of(f, point, precision));
  }
  for (long order = 1; order < count; ++order)
    for (long i = count - 1; i >= order; --i) {
      number::Mpfr& difference = differences[static_cast<std::size_t>(i)];
      mpfr_sub(difference, difference, differences[static_cast<std::size_t>(i - 1)], MPFR_RNDN);
      mpfr_div(difference, difference, h, MPFR_RNDN);
      mpfr_div_si(difference, difference, order, MPFR_RNDN);
    }
  return differences;
}

number::Arb ball(double middle, double radius) {
  number::Arb result;
  number::Arb error;
  arb_set_d(result, middle);
  arb_set_d(error, radius);
  arb_add_error(result, error);
  return result;
}

bool all_finite(const number::ArbVector& coefficients) {
  for (long j = 0; j < coefficients.size(); ++j)
    if (arb_is_finite(coefficients[j]) == 0)
      return false;
  return true;
}

// For x ≠ 0: the errors of the differences and the series' own radii are together 2^−90 of the coefficients, or of the
// value's contribution when x changes by a part of itself.
void check_series_at(const Function& f, double x, long step) {
  constexpr long count = 6;
  constexpr long precision = 256;
  CAPTURE(f.name);
  CAPTURE(x);
  const std::vector<number::Mpfr> expected = coefficients_by_differences(f, x, count, step);
  number::ArbVector series(20);
  f.series(series.data(), ball(x, 0), series.size(), precision);
  REQUIRE(all_finite(series));
  CHECK(arb_rel_accuracy_bits(series[0]) > precision - 60);
  const number::Arb magnitude = ball(std::fabs(x), 0);
  number::Arb contribution;
  arb_abs(contribution, series[0]);
  for (long j = 0; j < series.size(); ++j) {
    INFO(j);
    number::Arb tolerance;
    arb_abs(tolerance, series[j]);
    arb_add(tolerance, tolerance, contribution, precision);
    arb_mul_2exp_si(tolerance, tolerance, -90);
    arb_div(contribution, contribution, magnitude, precision);
    number::Arb radius;
    arb_get_rad_arb(radius, series[j]);
    CHECK(arb_le(radius, tolerance) != 0);
    if (j >= count)
      continue;
    number::Arb difference;
    arf_set_mpfr(arb_midref(static_cast<arb_ptr>(difference)), expected[static_cast<std::size_t>(j)]);
    arb_sub(difference, difference, series[j], precision);
    arb_abs(difference, difference);
    CHECK(arb_le(difference, tolerance) != 0);
  }
}

} // namespace

TEST_CASE("series at numbers: Taylor coefficients of MPFR's values, to nearly all bits") {
  std::mt19937_64 random(1);
  for (const Function* f : all_functions())
    for (int i = 0; i < 12; ++i)
      check_series_at(*f, number_in(*f, random), -120);
}

TEST_CASE("series at extreme numbers") {
  const std::pair<const char*, double> numbers[] = {{"acos", 0x1.fffffffffffffp-1},
                                                    {"acosh", 0x1.0000000000001p+0},
                                                    {"acosh", 1e300},
                                                    {"asin", 1e-300},
                                                    {"asinh", -1e300},
                                                    {"asinh", 1e-300},
                                                    {"atan", 1e300},
                                                    {"atan", -1e300},
                                                    {"atan", 1e-300},
                                                    {"atanh", 0x1.fffffffffffffp-1},
                                                    {"atanpi", -1e200},
                                                    {"cbrt", 1e-308},
                                                    {"compound:5", 1e-300},
                                                    {"cos", 0x1.921fb54442d18p+0},
                                                    {"cospi", 0x1.000000000d4p+40},
                                                    {"erf", 1e-300},
                                                    {"erf", 6},
                                                    {"erfc", 26.5},
                                                    {"exp", 709},
                                                    {"exp", 1e-300},
                                                    {"exp10m1", 1e-300},
                                                    {"exp2", -1074.5},
                                                    {"expm1", -50},
                                                    {"j0", 1e-300},
                                                    {"j0", 0.0625},
                                                    {"j0", 0.0626},
                                                    {"j1", 0.07},
                                                    {"j0", 1e5},
                                                    {"j1", 1e-300},
                                                    {"j1", -1e5},
                                                    {"lgamma", 1e-300},
                                                    {"lgamma", -1e-300},
                                                    {"lgamma", 1e300},
                                                    {"lgamma", -1000.25},
                                                    {"log", 1e-300},
                                                    {"log1p", 1e-300},
                                                    {"log1p", -0x1.fffffffffffffp-1},
                                                    {"log2p1", 1e300},
                                                    {"pown:8000", 1.0625},
                                                    {"recip", -1e-300},
                                                    {"rootn:-8000", 1e300},
                                                    {"rsqrt", 1e300},
                                                    {"sin", 1e15},
                                                    {"sin", 1e-300},
                                                    {"sinpi", 0x1.000000000d4p+40},
                                                    {"tan", 0x1.921fb54442d18p+0},
                                                    {"tanh", 1e-300},
                                                    {"tanh", 100},
                                                    {"tanpi", 0.49999999},
                                                    {"tgamma", 170.5},
                                                    {"tgamma", -170.0625},
                                                    {"tgamma", 1e-300},
                                                    {"y0", 1e-300},
                                                    {"y0", 1e5},
                                                    {"y1", 1e-300},
                                                    {"y1", 1e5}};
  for (const auto& [name, x] : numbers)
    check_series_at(find_function(name), x, -300);
}

TEST_CASE("series on balls hold those at their numbers, and are hardly wider") {
  constexpr long count = 20;
  constexpr long precision = 200;
  constexpr int points = 16;
  std::mt19937_64 random(2);
  for (const Function* f : all_functions()) {
    CAPTURE(f->name);
    // Beside their extrema, where the derivative matters little, Arb's sine and cosine of a ball are some times too
    // wide.
    const double most = f->name == "sin" || f->name == "cos" ? 20 : 1.2;
    int finite = 0;
    for (const int width : {-3, -3, -3, -3, -4, -4, -4, -4, -5, -6, -8, -10, -20, -20, -20, -30, -30}) {
      const double x = number_in(*f, random);
      const double radius = std::ldexp(std::fabs(x), width);
      CAPTURE(x);
      CAPTURE(width);
      number::ArbVector over_all(count);
      f->series(over_all.data(), ball(x, radius), count, precision);
      if (!all_finite(over_all))
        continue;
      ++finite;
      number::ArbVector hull(count);
      for (int i = 0; i <= points; ++i) {
        number::Arb point = ball(radius, 0);
        arb_mul_si(point, point, 2 * i - points, ARF_PREC_EXACT);
        arb_mul_2exp_si(point, point, -4);
        arb_add(point, point, ball(x, 0), ARF_PREC_EXACT);
        number::ArbVector series(count);
        f->series(series.data(), point, count, precision + 200);
        for (long j = 0; j < count; ++j) {
          INFO(j);
          REQUIRE(arb_overlaps(over_all[j], series[j]) != 0);
          if (i == 0)
            arb_set(hull[j], series[j]);
          else
            arb_union(hull[j], hull[j], series[j], precision);
        }
      }
      for (long j = 0; j <= 4 && width <= -20; ++j) {
        INFO(j);
        CHECK(mag_get_d(arb_radref(over_all[j])) <= most * mag_get_d(arb_radref(hull[j])));
      }
    }
    CHECK(finite >= 8);
  }
}

TEST_CASE("series of lgamma are as good in every binade, at numbers and on balls, whatever the precision") {
  const Function& f = find_function("lgamma");
  for (const long precision : {96, 192, 320, 768})
    for (int exponent = 1; exponent < 1024; ++exponent) {
      CAPTURE(precision);
      CAPTURE(exponent);
      const double x = std::ldexp(1.3, exponent);
      number::ArbVector series(2);
      for (const double radius : {0.0, std::ldexp(x, -20)}) {
        f.series(series.data(), ball(x, radius), 2, precision);
        for (const int j : {0, 1})
          REQUIRE(arb_rel_accuracy_bits(series[j]) > (radius > 0 ? 12 : precision - 8));
      }
    }
}

TEST_CASE("series of lgamma at large numbers, by Stirling's series, hold those by Arb's with more bits") {
  constexpr long count = 24;
  for (const double x : {4.0, 37.25, 300.7, 0x1.23456789p+12, 0x1.8p+20, 0x1.9999999999999p+33, 0x1.1p+52, 0x1.3p+200})
    for (const long length : {1L, 2L, 6L, count}) {
      CAPTURE(x);
      CAPTURE(length);
      number::ArbVector line(2);
      arb_set_d(line[0], x);
      arb_one(line[1]);
      number::ArbVector expected(count);
      _arb_poly_lgamma_series(expected.data(), line.data(), 2, count, 3000);
      for (const long precision : {32, 64, 128, 200, 320, 500}) {
        CAPTURE(precision);
        number::ArbVector series(count);
        find_function("lgamma").series(series.data(), ball(x, 0), length, precision);
        for (long j = 0; j < length; ++j) {
          INFO(j);
          CHECK(arb_contains(series[j], expected[j]) != 0);
          CHECK(arb_rel_accuracy_bits(series[j]) >= precision - (x > 0x1p+30 ? 8 : 40));
        }
      }
    }
}

TEST_CASE("series of the gamma functions left of 0: by a series nearby as with so many bits that there is none") {
  constexpr long count = 24;
  for (const char* name : {"lgamma", "tgamma"})
    for (const double x : {-0x1p-40, -0.25, -1 - 0x1p-30, -1.99609375, -1.998046875, -2.5, -99.75, -100 + 0x1p-20,
                           -183.25, -255.5, -256.5, -1023.625, -2000 - 0x1p-35, -4000.5}) {
      INFO(std::string(name));
      CAPTURE(x);
      number::ArbVector expected(count);
      find_function(name).series(expected.data(), ball(x, 0), count, 2000);
      for (const long precision : {64, 128, 200, 320, 500}) {
        CAPTURE(precision);
        number::ArbVector series(count);
        find_function(name).series(series.data(), ball(x, 0), count, precision);
        for (long j = 0; j < count; ++j) {
          INFO(j);
          CHECK(arb_contains(series[j], expected[j]) != 0);
          CHECK(arb_rel_accuracy_bits(series[j]) >= precision - 24);
        }
      }
    }
}

TEST_CASE("tgamma: the bound of values far left holds next to poles, and is hardly larger") {
  const Function& gamma = find_function("tgamma");
  for (const auto& [pole, unit] : {std::pair(-2, -3), {-8, -7}, {-20, -48}, {-184, -45}, {-1000, -2}}) {
    CAPTURE(pole);
    const double x = pole - std::ldexp(1, unit);
    number::Arb bound;
    gamma.most_left_of(bound, ball(x, 0), unit, 200);
    number::Arb value;
    gamma.series(value, ball(x, 0), 1, 200);
    arb_abs(value, value);
    CHECK(arb_lt(value, bound) != 0);
    arb_mul_2exp_si(value, value, 1);
    CHECK(arb_gt(value, bound) != 0);
  }
  number::Arb bound;
  gamma.most_left_of(bound, ball(-0.5, 0), -3, 200);
  CHECK(arb_is_finite(bound) == 0);
}

TEST_CASE("series of lgamma at a fraction of each unit: those of lgamma itself, along the other direction") {
  constexpr long count = 12;
  constexpr long precision = 300;
  for (const double unit : {1.0, 7.0, 100.0, 0x1p+20 + 3, 0x1p+51 - 1})
    for (const double fraction : {0x1p-20, 0.25, 0.5, 1 - 0x1p-20}) {
      CAPTURE(unit);
      CAPTURE(fraction);
      number::ArbVector series(count);
      number::ArbVector expected(count);
      find_function("lgamma").at_fraction(fraction)(series.data(), ball(unit, 0), count, precision);
      number::Arb x; // exact, which a double is not
      arb_set_d(x, unit);
      number::Arb t;
      arb_set_d(t, fraction);
      arb_add(x, x, t, ARF_PREC_EXACT);
      arb_neg(x, x);
      find_function("lgamma").series(expected.data(), x, count, precision);
      // Along the units the part of the fraction is constant: the derivatives are those of log Γ(1 + n + t) alone.
      CHECK(arb_overlaps(series[0], expected[0]) != 0);
      CHECK(arb_rel_accuracy_bits(series[0]) > precision - 20);
      arb_sub_ui(x, x, 1, ARF_PREC_EXACT);
      arb_neg(x, x);
      find_function("lgamma").series(expected.data(), x, count, precision);
      for (long j = 1; j < count; ++j) {
        INFO(j);
        arb_neg(expected[j], expected[j]);
        CHECK(arb_overlaps(series[j], expected[j]) != 0);
      }
      // Over many units.
      number::ArbVector over_all(count);
      find_function("lgamma").at_fraction(fraction)(over_all.data(), ball(unit + 0.5 * unit, 0.5 * unit), count,
                                                    precision);
      CHECK(arb_contains(over_all[0], series[0]) != 0);
    }
  CHECK_FALSE(find_function("tgamma").at_fraction);
}

TEST_CASE("series are not finite on balls that touch a pole, a cut or the end of the domain") {
  struct Ball {
    const char* function;
    double from;
    double to;
  };
  const Ball balls[] = {{"acos", 0.5, 1},      {"acosh", 1, 2},
                        {"acosh", -3, -2},     {"acospi", -1.5, -0.5},
                        {"asin", -1, -0.5},    {"asinpi", 0.5, 2},
                        {"atanh", -1, -0.5},   {"atanh", 2, 3},
                        {"cbrt", -1, 1},       {"compound:-2", -1, 1},
                        {"lgamma", -0.5, 0.5}, {"lgamma", -2.5, -1.5},
                        {"lgamma", -2, -1.5},  {"log", 0, 1},
                        {"log", -2, -1},       {"log1p", -1, 0},
                        {"log2p1", -3, -2},    {"log10", -1, 1},
                        {"pown:-2", 0, 1},     {"recip", -1, 1},
                        {"rootn:-4", -1, 1},   {"rootn:4", -2, -1},
                        {"rsqrt", 0, 1},       {"sqrt", 0, 1},
                        {"sqrt", -2, -1},      {"tan", 1, 2},
                        {"tanpi", 0.5, 0.75},  {"tanpi", -0.75, -0.25},
                        {"tgamma", -0.5, 0.5}, {"tgamma", -1.5, -0.5},
                        {"tgamma", -3, -2.5},  {"y0", 0, 1},
                        {"y0", -2, -1},        {"y1", 0, 1}};
  for (const Ball& one : balls) {
    INFO(std::string(one.function));
    CAPTURE(one.from);
    number::ArbVector series(6);
    find_function(one.function).series(series.data(), ball((one.from + one.to) / 2, (one.to - one.from) / 2), 6, 200);
    CHECK_FALSE(all_finite(series));
  }
}

} // namespace tmd::function
