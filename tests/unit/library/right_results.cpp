// The rounded values of functions, by polynomials, against MPFR: every number of a short format, and runs of binary32
// arguments of all sizes.
#include "host/library/right_results.hpp"

#include "host/function/catalogue.hpp"
#include "host/number/random.hpp"
#include "host/verify/rounded_value.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace tmd::library {

namespace {

// The number of an encoding without its sign, or an infinity.
number::Mpfr number_of(const format::ArgumentSet& set, std::uint64_t magnitude, bool negative) {
  number::Mpfr value(64);
  if (static_cast<format::ArgumentSet::Rank>(magnitude) == set.end())
    mpfr_set_inf(value, 1);
  else
    value = format::to_mpfr(set.at(static_cast<format::ArgumentSet::Rank>(magnitude)));
  mpfr_setsign(value, value, negative ? 1 : 0, MPFR_RNDN);
  return value;
}

// Counts the arguments whose results differ from those of MPFR.
std::size_t count_wrong(const function::Function& function, const Format& format, const job::Stretch& stretch,
                        const RightResults& results) {
  const format::ArgumentSet set(format, format.precision);
  const auto sign = std::uint64_t(1) << bit_length(static_cast<uint128>(set.end()));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < results.fraction.size(); ++i) {
    const auto value = verify::value_in_c(function, format, format::to_mpfr(stretch.argument(i)));
    const double fraction = results.fraction[i];
    const std::uint64_t truncated = results.toward_zero[i] & ~sign;
    const bool negative = (results.toward_zero[i] & sign) != 0;
    if (!value || value->enclosure.is_undefined()) {
      wrong += results.toward_zero[i] == (value ? RightResults::no_number : RightResults::unknown) ? 0 : 1;
      continue;
    }
    const Direction away = negative ? Direction::downward : Direction::upward;
    const bool is_near = fraction > 0.5 || (fraction == 0.5 && truncated % 2 != 0);
    const auto is = [&](Direction direction, bool next) {
      const number::Mpfr number = number_of(set, truncated + (next ? 1 : 0), negative);
      return mpfr_equal_p(mpfr_srcptr(number), mpfr_srcptr(*value->in(direction))) != 0;
    };
    wrong += is(Direction::toward_zero, false) && is(Direction::nearest, is_near) && is(away, fraction > 0) ? 0 : 1;
  }
  return wrong;
}

} // namespace

TEST_CASE("every second binade of binary16, or with TMD_TEST_ALL each") {
  const Format format = find_format("binary16");
  const format::ArgumentSet set(format, format.precision);
  for (const std::string name : {"exp", "log", "sin", "tanpi", "cbrt", "acosh", "tgamma"}) {
    CAPTURE(name);
    const function::Function& function = function::find_function(name);
    RightResultFinder finder(function, format);
    RightResults results;
    const job::RankInterval inside = job::ranks_in_domain(function.domain, set);
    std::size_t wrong = 0;
    const std::vector<job::Stretch> stretches = job::stretches(set, inside.first, inside.last);
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const job::Stretch& stretch = stretches[i];
      if (!test::tries_all && i % 2 == 1 && stretch.count > 1 && i + 2 < stretches.size())
        continue;
      finder.find(stretch, results);
      REQUIRE(results.fraction.size() == stretch.count);
      wrong += count_wrong(function, format, stretch, results);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("runs of binary32, of which MPFR decides few") {
  const Format format = find_format("binary32");
  const format::ArgumentSet set(format, format.precision);
  number::Random random(1);
  for (const std::string name : {"exp", "expm1", "log1p", "sin", "cos", "atan", "asinh", "erf", "sqrt", "tanh"}) {
    CAPTURE(name);
    const function::Function& function = function::find_function(name);
    RightResultFinder finder(function, format);
    RightResults results;
    const job::RankInterval inside = job::ranks_in_domain(function.domain, set);
    std::size_t wrong = 0;
    std::size_t by_mpfr = 0;
    constexpr format::ArgumentSet::Rank count = 64;
    for (int run = 0; run < 60; ++run) {
      const auto most = set.parse("0x1p10", "x"); // beyond, a sine has no runs
      const auto rank = static_cast<format::ArgumentSet::Rank>(random.below(static_cast<std::uint64_t>(most - count)));
      const auto first = run % 2 == 0 ? rank : -rank - count;
      if (first < inside.first || first + count > inside.last)
        continue;
      for (const job::Stretch& stretch : job::stretches(set, first, first + count)) {
        finder.find(stretch, results);
        wrong += count_wrong(function, format, stretch, results);
        by_mpfr += results.by_mpfr;
      }
    }
    CHECK(wrong == 0);
    CHECK(by_mpfr <= 200); // one of some 3000: a run with several short pieces
  }
}

TEST_CASE("where neighbours lie periods apart") {
  const Format format = find_format("binary32");
  const format::ArgumentSet set(format, format.precision);
  for (const std::string name : {"sin", "cos", "tan", "sinpi", "cospi", "tanpi"}) {
    const function::Function& function = function::find_function(name);
    RightResultFinder finder(function, format);
    RightResults results;
    for (const char* start : {"0x1.2p9", "0x1.2468p11", "0x1.8p22", "0x1.8p24", "0x1.921fb6p60", "0x1p127"})
      for (const bool negative : {false, true}) {
        CAPTURE(name);
        CAPTURE(start);
        constexpr format::ArgumentSet::Rank count = 2000;
        const format::ArgumentSet::Rank first = negative ? -set.parse(start, "x") - count : set.parse(start, "x");
        const job::Stretch stretch = job::stretches(set, first, first + count).front();
        finder.find(stretch, results);
        CHECK(count_wrong(function, format, stretch, results) == 0);
        CHECK(results.by_mpfr <= 100);
        CHECK(results.error < 0x1p-12);
      }
  }
}

TEST_CASE("between negative integers that have few numbers between them") {
  for (const auto& [format_name, first_binade, last_binade] :
       {std::tuple(std::string("binary32"), 9, 22), std::tuple(std::string("binary16"), 6, 9),
        std::tuple(std::string("bfloat16"), 6, 6)}) {
    const Format format = find_format(format_name);
    const format::ArgumentSet set(format, format.precision);
    for (const std::string name : {"lgamma", "tgamma"}) {
      const function::Function& function = function::find_function(name);
      RightResultFinder finder(function, format);
      RightResults results;
      for (int binade = first_binade; binade <= last_binade; ++binade)
        for (const bool is_last : {false, true}) {
          if (!test::tries_all && format.precision == 24 && is_last != (binade % 2 == 0))
            continue; // the last numbers of one binade, the first ones of the next
          CAPTURE(name);
          CAPTURE(format_name);
          CAPTURE(binade);
          const auto begin = set.parse("0x1p" + std::to_string(binade), "x");
          const auto end = set.parse("0x1p" + std::to_string(binade + 1), "x");
          const auto count = std::min<format::ArgumentSet::Rank>(3000, end - begin);
          const auto first = is_last ? end - count : begin;
          const job::Stretch stretch = job::stretches(set, 1 - first - count, 1 - first).front();
          finder.find(stretch, results);
          CHECK(count_wrong(function, format, stretch, results) == 0);
          CHECK(results.error < 0x1p-18);
          if (format.precision == 24)
            CHECK(results.by_mpfr <= 1);
        }
    }
  }
}

TEST_CASE("next to a limit, beyond the largest number and at poles, where MPFR is asked once at most") {
  const Format format = find_format("binary32");
  const format::ArgumentSet set(format, format.precision);
  for (const auto& [name, sign, start] :
       {std::tuple("erf", 1, "7"), std::tuple("erf", -1, "0x1p10"), std::tuple("erfc", -1, "0x1p5"),
        std::tuple("tanh", 1, "0x1.8p4"), std::tuple("tanh", -1, "0x1p120"), std::tuple("expm1", -1, "0x1p6"),
        std::tuple("exp2m1", -1, "0x1p90"), std::tuple("atanpi", 1, "0x1p100"), std::tuple("exp10m1", -1, "30"),
        std::tuple("sinh", -1, "0x1p20"), std::tuple("cosh", -1, "0x1p60"), std::tuple("tgamma", -1, "0x1p23"),
        std::tuple("lgamma", -1, "0x1p100")}) {
    CAPTURE(name);
    CAPTURE(start);
    const function::Function& function = function::find_function(name);
    RightResultFinder finder(function, format);
    RightResults results;
    constexpr format::ArgumentSet::Rank count = 3000;
    const format::ArgumentSet::Rank first = set.parse(start, "x");
    const job::Stretch stretch =
        job::stretches(set, sign > 0 ? first : 1 - first - count, sign > 0 ? first + count : 1 - first).front();
    finder.find(stretch, results);
    CHECK(results.by_mpfr <= 1);
    CHECK(results.error < 0x1p-20);
    CHECK(count_wrong(function, format, stretch, results) == 0);
  }
}

TEST_CASE("errors of fractions are as small as is said") {
  const Format format = find_format("binary32");
  const format::ArgumentSet set(format, format.precision);
  const function::Function& function = function::find_function("exp");
  RightResultFinder finder(function, format);
  RightResults results;
  const auto first = set.parse("1.25", "x");
  const job::Stretch stretch = job::stretches(set, first, first + 1000).front();
  finder.find(stretch, results);
  CHECK(results.error > 0);
  CHECK(results.error < 0x1p-20);
  double most = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    number::Mpfr value(128);
    mpfr_exp(value, format::to_mpfr(stretch.argument(i)), MPFR_RNDN);
    mpfr_mul_2si(value, value, 22, MPFR_RNDN); // e^1.25 is in [2, 4)
    mpfr_frac(value, value, MPFR_RNDN);
    mpfr_sub_d(value, value, results.fraction[i], MPFR_RNDN);
    most = std::max(most, std::fabs(mpfr_get_d(value, MPFR_RNDN)));
  }
  CHECK(most <= results.error);
}

} // namespace tmd::library
