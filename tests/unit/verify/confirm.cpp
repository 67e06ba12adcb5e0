// Confirmation: published cases, exact ones, and each end of Ziv's loop for functions whose values are known by
// enclosures alone.
#include "host/verify/confirm.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/job.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tmd::verify {

namespace {

using Value = std::function<function::ValueEnclosure(mpfr_srcptr, long)>;
using Kind = Case::Kind;

constexpr Rounding grids[] = {Rounding::all, Rounding::directed, Rounding::nearest};

function::Function function_of(Value value, function::Exactness exactness) {
  function::Function f;
  f.name = "f";
  f.value = std::move(value);
  f.exactness = [exactness](mpfr_srcptr) { return exactness; };
  return f;
}

// The enclosure c·[1 − 2^−precision, 1 + 2^−precision], or ±2^−precision around c = 0: a value that is exactly c, found
// by roundings that never know it.
Value never_closing(double c) {
  return [c](mpfr_srcptr, long precision) {
    function::ValueEnclosure value(precision + 60);
    number::Mpfr radius(60);
    mpfr_set_d(radius, c == 0 ? 1 : std::fabs(c), MPFR_RNDN);
    mpfr_div_2si(radius, radius, precision, MPFR_RNDN);
    mpfr_d_sub(value.lower, c, radius, MPFR_RNDD);
    mpfr_add_d(value.upper, radius, c, MPFR_RNDU);
    return value;
  };
}

Argument one() { return {false, 1, 0}; }
Argument dyadic(std::uint64_t significand, int exponent) { return {false, significand, exponent}; }

std::optional<Case> confirm(const function::Function& f, Rounding grid, const Argument& x = one(), int bits = 20,
                            long most_precision = 1000) {
  function::Function limited = f;
  limited.most_precision = most_precision;
  return Confirmation(limited, {grid, 53}, bits).confirm(x);
}

bool same(const std::optional<Case>& left, const std::optional<Case>& right) {
  if (!left || !right)
    return left.has_value() == right.has_value();
  return left->x == right->x && left->bits == right->bits && left->breakpoint == right->breakpoint &&
         left->kind == right->kind;
}

Argument number(const char* text, int precision = 53) {
  const format::ArgumentSet set(find_format("binary64"), precision);
  return set.at(set.parse(text, "x"));
}

std::optional<Case> confirm(const char* function, Rounding grid, int bits, const char* x, int p = 53, int q = 53) {
  return Confirmation(function::find_function(function), {grid, p}, bits).confirm(number(x, q));
}

} // namespace

TEST_CASE("confirmation: distances of published cases, to four decimals") {
  struct Row {
    const char* function;
    const char* x;
    double bits;
    Breakpoint breakpoint;
  };
  constexpr auto M = Breakpoint::midpoint;
  constexpr auto R = Breakpoint::representable;
  for (const Row& row :
       {Row{"exp", "0x1.aca7ae8da5a7bp+0", 53.9922, M}, Row{"exp", "0x1.d6336a88077aap+0", 53.4418, R},
        Row{"exp", "0x1.8ae823850230bp-5", 53.7787, M}, Row{"exp2", "0x1.25dd9eedac79ap+0", 53.1573, R},
        Row{"exp2", "0x1.8b53b7620da8bp+0", 51.9518, M}, Row{"log", "0x1.0000000000001p+0", 51.5850, R},
        Row{"log", "0x1.b9f1fa4587967p+0", 50.7519, M}, Row{"sin", "0x1.d98c4c612718dp-1", 54.5087, M},
        Row{"sin", "-0x1.921fb54442d18p+0", 54.7170, R}, Row{"cbrt", "0x1.00357fdfa5412p+0", 50.3257, M},
        Row{"cbrt", "-0x1.0000000000003p+0", 51.0000, R}}) {
    const auto found = confirm(row.function, Rounding::all, 40, row.x);
    CAPTURE(row.x);
    REQUIRE(found);
    CHECK(std::fabs(found->bits - row.bits) < 6e-5);
    CHECK(found->breakpoint == row.breakpoint);
    CHECK_FALSE(found->is_exact());
    // In whole ulps the distance is half as many spacings; the other grid's breakpoints are far away.
    const Rounding own = row.breakpoint == M ? Rounding::nearest : Rounding::directed;
    const Rounding other = row.breakpoint == M ? Rounding::directed : Rounding::nearest;
    const auto in_ulps = confirm(row.function, own, 40, row.x);
    REQUIRE(in_ulps);
    CHECK(std::fabs(in_ulps->bits - row.bits - 1) < 6e-5);
    CHECK(in_ulps->breakpoint == row.breakpoint);
    CHECK_FALSE(confirm(row.function, other, 40, row.x));
  }
  const auto wide = confirm("exp", Rounding::directed, 33, "0x1.00019836660308p+0", 53, 54);
  REQUIRE(wide);
  CHECK(std::fabs(wide->bits - 45.4923) < 6e-5);
}

TEST_CASE("confirmation: the bound is strict, and decided however close it is") {
  // dist = 2^−53.9922…
  CHECK(confirm("exp", Rounding::all, 53, "0x1.aca7ae8da5a7bp+0"));
  CHECK_FALSE(confirm("exp", Rounding::all, 54, "0x1.aca7ae8da5a7bp+0"));
  // exp2(x) at p = 2: 2^(1/2) = 1.0110…b, F = 5.66 in half-ulps: dist = 0.34 = 2^−1.54.
  CHECK(confirm("exp2", Rounding::all, 1, "0.5", 2));
  CHECK_FALSE(confirm("exp2", Rounding::all, 2, "0.5", 2));
  // cbrt(27) = 3 at p = 2 … exact; 1.1b needs two bits, with one less it is exactly a quarter from a
  // breakpoint.
  CHECK(confirm("cbrt", Rounding::directed, 1, "27", 2)->is_exact());
  CHECK_FALSE(confirm("cbrt", Rounding::nearest, 1, "27", 2)); // exactly half a spacing away: no case, for any K ≥ 1
  // Tiny distances: exp(2^−1000) is 2^(53 − 1000) half-ulps above 1.
  const auto tiny = confirm("exp", Rounding::all, 44, "0x1p-1000");
  REQUIRE(tiny);
  CHECK(std::fabs(tiny->bits - 947) < 1e-4);
}

TEST_CASE("confirmation: exact cases") {
  for (const char* function : {"exp", "exp2"})
    for (const Rounding grid : {Rounding::all, Rounding::directed}) {
      const auto one = confirm(function, grid, 20, "0");
      REQUIRE(one);
      CHECK(one->is_exact());
      CHECK(one->breakpoint == Breakpoint::representable);
    }
  for (const char* function : {"sin", "cbrt"}) {
    REQUIRE(confirm(function, Rounding::all, 20, "0"));
    CHECK(confirm(function, Rounding::directed, 20, "0")->is_exact());
    CHECK_FALSE(confirm(function, Rounding::nearest, 20, "0"));
  }
  CHECK(confirm("log", Rounding::all, 20, "1")->is_exact());
  CHECK(confirm("exp2", Rounding::all, 20, "-7")->is_exact());
  CHECK_FALSE(confirm("exp2", Rounding::nearest, 20, "-7"));
  // The cube root 5/4 is a midpoint at two bits, representable at three.
  CHECK(confirm("cbrt", Rounding::all, 20, "1.953125", 2)->breakpoint == Breakpoint::midpoint);
  CHECK(confirm("cbrt", Rounding::nearest, 20, "1.953125", 2)->is_exact());
  CHECK_FALSE(confirm("cbrt", Rounding::directed, 20, "1.953125", 2));
  CHECK(confirm("cbrt", Rounding::all, 20, "1.953125", 3)->breakpoint == Breakpoint::representable);
  // A value that MPFR turns into 0, or the largest number, is not exact.
  CHECK_THROWS_AS((void)confirm("exp", Rounding::all, 20, "-0x1p+70"), UsageError);
  CHECK_THROWS_AS((void)confirm("exp", Rounding::all, 20, "0x1p+70"), UsageError);
  CHECK_THROWS_AS((void)confirm("exp", Rounding::all, 20, "0x1p+40"), UsageError);
}

TEST_CASE("cases are sorted by hardness, then by argument") {
  const Case a{number("2"), 50, Breakpoint::midpoint};
  const Case b{number("-3"), 50, Breakpoint::midpoint};
  const Case c{number("1"), 51, Breakpoint::midpoint};
  CHECK(is_harder(c, a));
  CHECK_FALSE(is_harder(a, c));
  CHECK(is_harder(b, a));
  CHECK_FALSE(is_harder(a, b));
  CHECK_FALSE(is_harder(a, a));
}

TEST_CASE("confirm: a value that is exactly a breakpoint, though nothing says so, is undecided") {
  for (const double sign : {1.0, -1.0})
    for (const double value : {1.5, 1 + 0x1p-52, 0x3p-1074}) {
      CAPTURE(value);
      const function::Function f = function_of(never_closing(sign * value), function::Exactness::unknown);
      for (const Rounding grid : grids) {
        const auto found = confirm(f, grid);
        if (grid == Rounding::nearest) {
          CHECK_FALSE(found); // far from every midpoint
          continue;
        }
        REQUIRE(found);
        CHECK(found->kind == Kind::undecided);
        CHECK_FALSE(found->is_exact());
        CHECK(std::isinf(found->bits));
        CHECK(found->x == one());
        CHECK(found->breakpoint == Breakpoint::representable);
      }
    }
  // A midpoint: 1 + 2^−53 is no double, so its enclosure is made from 2^53 + 1.
  const function::Function midpoint = function_of(
      [](mpfr_srcptr, long precision) {
        function::ValueEnclosure value(precision + 60);
        mpfr_set_ui_2exp(value.lower, (1UL << 53) + 1, -53, MPFR_RNDN);
        mpfr_set(value.upper, value.lower, MPFR_RNDN);
        mpfr_nextbelow(value.lower);
        mpfr_nextabove(value.upper);
        return value;
      },
      function::Exactness::unknown);
  for (const Rounding grid : {Rounding::all, Rounding::nearest}) {
    const auto found = confirm(midpoint, grid);
    REQUIRE(found);
    CHECK(found->kind == Kind::undecided);
    CHECK(found->breakpoint == Breakpoint::midpoint);
  }
  CHECK_FALSE(confirm(midpoint, Rounding::directed));
}

TEST_CASE("confirm: undecided across the end of a binade, and at zero") {
  for (const double power : {1.0, -4.0, 0x1p-1030}) {
    CAPTURE(power);
    const function::Function f = function_of(never_closing(power), function::Exactness::unknown);
    CHECK_FALSE(confirm(f, Rounding::nearest)); // half a spacing from the midpoints on either side
    for (const Rounding grid : {Rounding::all, Rounding::directed}) {
      const auto found = confirm(f, grid);
      REQUIRE(found);
      CHECK(found->kind == Kind::undecided);
      CHECK(found->breakpoint == Breakpoint::representable);
    }
  }
  // A value that is not zero, but as small as that, may lie near a midpoint.
  const function::Function zero = function_of(never_closing(0), function::Exactness::unknown);
  for (const Rounding grid : grids) {
    REQUIRE(confirm(zero, grid));
    CHECK(confirm(zero, grid)->kind == Kind::undecided);
  }
  const function::Function nothing_known = function_of(
      [](mpfr_srcptr, long precision) {
        function::ValueEnclosure value(precision);
        mpfr_set_inf(value.lower, -1);
        mpfr_set_inf(value.upper, 1);
        return value;
      },
      function::Exactness::unknown);
  for (const Rounding grid : grids) {
    REQUIRE(confirm(nothing_known, grid));
    CHECK(confirm(nothing_known, grid)->kind == Kind::undecided);
  }
}

TEST_CASE("confirm: where enclosures decide, nobody needs to know whether values are exact") {
  for (const char* name : {"exp", "cbrt"}) {
    const function::Function& known = function::find_function(name);
    function::Function unknown = known;
    unknown.exactness = [](mpfr_srcptr) { return function::Exactness::unknown; };
    std::size_t wrong = 0;
    std::size_t kinds[3] = {};
    for (const Rounding grid : grids)
      for (std::uint64_t m = 0; m < 3000; ++m) {
        const Argument x = dyadic(m, -3);
        const auto found = Confirmation(unknown, {grid, 11}, 5).confirm(x);
        wrong += !same(found, Confirmation(known, {grid, 11}, 5).confirm(x));
        if (found)
          ++kinds[static_cast<int>(found->kind)];
      }
    CHECK(wrong == 0);
    CHECK(kinds[static_cast<int>(Kind::hard)] > 100);
    CHECK(kinds[static_cast<int>(Kind::exact)] > 0);
    CHECK(kinds[static_cast<int>(Kind::undecided)] == 0);
  }
}

TEST_CASE("confirm: wide enclosures are decided after some rounds") {
  // exp with an eighth of the bits asked for; with few, nothing is known.
  const auto asked = std::make_shared<std::vector<long>>();
  const auto wide = [asked](mpfr_srcptr x, long precision) {
    asked->push_back(precision);
    function::ValueEnclosure value = function::find_function("exp").value(x, precision);
    if (precision < 300) {
      mpfr_set_inf(value.lower, -1);
      mpfr_set_inf(value.upper, 1);
      return value;
    }
    number::Mpfr radius(value.upper);
    mpfr_div_2si(radius, radius, precision / 8, MPFR_RNDU);
    mpfr_sub(value.lower, value.lower, radius, MPFR_RNDD);
    mpfr_add(value.upper, value.upper, radius, MPFR_RNDU);
    return value;
  };
  const function::Function f = function_of(wide, function::Exactness::unknown);
  const Argument published = dyadic(0x1aca7ae8da5a7b, -52); // 53.9922 bits
  const auto found = confirm(f, Rounding::all, published, 44, 1L << 14);
  REQUIRE(found);
  CHECK(found->kind == Kind::hard);
  CHECK(found->breakpoint == Breakpoint::midpoint);
  CHECK(std::fabs(found->bits - 53.9922) < 6e-5);
  CHECK(*asked ==
        std::vector<long>{145, 290, 580, 1160}); // 145 bits of exp: 108 are the grid's and the case's, 24 more
  // The value is closer to 2^−K than its enclosure is wide: the next round decides.
  CHECK(confirm(f, Rounding::all, published, 53, 1L << 14));
  CHECK_FALSE(confirm(f, Rounding::all, published, 54, 1L << 14));
  // With too low a limit the verdict stays open, whatever the value.
  const auto open = confirm(f, Rounding::all, published, 44, 1000);
  REQUIRE(open);
  CHECK(open->kind == Kind::undecided);
}

TEST_CASE("confirm: no more bits than the limit") {
  long most = 0;
  const function::Function f = function_of(
      [&most](mpfr_srcptr x, long precision) {
        most = std::max(most, precision);
        return never_closing(1.5)(x, precision);
      },
      function::Exactness::unknown);
  CHECK(confirm(f, Rounding::all, one(), 20, 5000));
  CHECK(most == 5000); // after 121·2^5: the last step is a shorter one
  // exp(2^−1000) lies 947 bits from 1: known after 145, 290, 580, 1160 bits.
  function::Function exp = function::find_function("exp");
  const auto known = confirm(exp, Rounding::all, dyadic(1, -1000), 44, 1160);
  REQUIRE(known);
  CHECK(std::fabs(known->bits - 947) < 1e-4);
  CHECK_FALSE(known->is_least);
  // A value that is inexact, and next to the breakpoint: a case, of so many bits at least.
  const auto beside = confirm(exp, Rounding::all, dyadic(1, -1000), 44, 1000);
  REQUIRE(beside);
  CHECK(beside->kind == Kind::hard);
  CHECK(beside->bits > 400);
  CHECK(beside->bits <= 947);
  CHECK(beside->is_least);
  // The same holds without the theorem, as long as the enclosure is strict.
  exp.exactness = [](mpfr_srcptr) { return function::Exactness::unknown; };
  CHECK(confirm(exp, Rounding::all, dyadic(1, -1000), 44, 1000)->kind == Kind::hard);
  exp.value = [value = exp.value](mpfr_srcptr x, long precision) {
    function::ValueEnclosure enclosure = value(x, precision);
    enclosure.is_strict = false;
    return enclosure;
  };
  CHECK(confirm(exp, Rounding::all, dyadic(1, -1000), 44, 1000)->kind == Kind::undecided);
}

TEST_CASE("confirm: number theory and values that contradict it") {
  const Value exactly = [](mpfr_srcptr, long precision) {
    function::ValueEnclosure value(precision);
    mpfr_set_d(value.lower, 1.5, MPFR_RNDN);
    mpfr_set_d(value.upper, 1.5, MPFR_RNDN);
    return value;
  };
  for (const Rounding grid : grids) {
    CHECK_THROWS_AS((void)confirm(function_of(exactly, function::Exactness::inexact), grid), SoundnessError);
    for (const function::Exactness known : {function::Exactness::exact, function::Exactness::unknown}) {
      const auto found = confirm(function_of(exactly, known), grid);
      CHECK(found.has_value() == (grid != Rounding::nearest));
      CHECK((!found || found->is_exact()));
    }
  }
  for (const function::Exactness known : {function::Exactness::exact, function::Exactness::inexact})
    CHECK_THROWS_AS((void)confirm(function_of(never_closing(1.5), known), Rounding::all), SoundnessError);
  // The values contradict the theorem, but are far from a breakpoint: no case.
  for (const function::Exactness known : {function::Exactness::exact, function::Exactness::inexact})
    CHECK_FALSE(confirm(function_of(never_closing(1.5), known), Rounding::nearest));
}

// 2^x − 1 is a dyadic number, of more bits than anybody computes.
TEST_CASE("confirm: a dyadic value within its enclosure is hard, however near it is to a breakpoint") {
  const function::Function& exp2m1 = function::find_function("exp2m1");
  for (const double x : {0x1p+20, 0x1p+20 + 2, 0x1.8p+23}) {
    CAPTURE(x);
    const auto found = Confirmation(exp2m1, {Rounding::all, 53}, 44).confirm(dyadic(static_cast<std::uint64_t>(x), 0));
    REQUIRE(found);
    CHECK(found->kind == Kind::hard);
    CHECK(found->breakpoint == Breakpoint::representable);
    CHECK(found->bits > 0x1p+15);
  }
  const auto exact = Confirmation(function::find_function("exp2"), {Rounding::all, 53}, 44).confirm(dyadic(1 << 20, 0));
  REQUIRE(exact);
  CHECK(exact->is_exact());
}

TEST_CASE("confirm: where nothing is known of a value that is said") {
  const auto judged = [](const Value& value) {
    function::Function limited = function_of(value, function::Exactness::unknown);
    limited.most_precision = 1000;
    return Confirmation(limited, {Rounding::all, 53}, 20).judge(one());
  };
  const auto nothing = judged([](mpfr_srcptr, long precision) {
    function::ValueEnclosure value(precision);
    mpfr_set_si(value.lower, 1, MPFR_RNDN);
    mpfr_set_inf(value.upper, 1);
    return value;
  });
  REQUIRE(nothing.found);
  CHECK(nothing.found->kind == Kind::undecided);
  CHECK_FALSE(nothing.is_enclosed);
  const auto near = judged(never_closing(1));
  REQUIRE(near.found);
  CHECK(near.found->kind == Kind::undecided);
  CHECK(near.is_enclosed);
}

TEST_CASE("confirm: a dyadic value that does not fit the format is an ordinary argument") {
  const auto value_of = [](int n) { // 2^n − 1, as exp2m1(n)
    return function_of(
        [n](mpfr_srcptr, long precision) {
          function::ValueEnclosure value(precision);
          number::Mpfr power(2);
          mpfr_set_ui_2exp(power, 1, n, MPFR_RNDN);
          mpfr_sub_ui(value.lower, power, 1, MPFR_RNDD);
          mpfr_sub_ui(value.upper, power, 1, MPFR_RNDU);
          return value;
        },
        function::Exactness::exact);
  };
  const auto wide = confirm(value_of(100), Rounding::all);
  REQUIRE(wide);
  CHECK(wide->kind == Kind::hard);
  CHECK(wide->bits == 46);
  CHECK(confirm(value_of(900), Rounding::all, one(), 20, 1000)->bits == 846); // not exact before 968 bits
  CHECK(confirm(value_of(54), Rounding::all)->is_exact());
  CHECK(confirm(value_of(54), Rounding::nearest)->breakpoint == Breakpoint::midpoint);
}

TEST_CASE("confirm: an enclosure that ends on the bound decides only what cannot be its end") {
  // f(x) between the breakpoint 1 and 1 + 2^−20 half-ulps, that end included: with K = 20 the end would be no case.
  const Value ends_on_bound = [](mpfr_srcptr, long precision) {
    function::ValueEnclosure value(precision);
    mpfr_set_ui_2exp(value.upper, 1, -20 - 53, MPFR_RNDN);
    mpfr_add_ui(value.upper, value.upper, 1, MPFR_RNDN);
    mpfr_set(value.lower, value.upper, MPFR_RNDN);
    mpfr_nextbelow(value.lower);
    return value;
  };
  const auto hard = confirm(function_of(ends_on_bound, function::Exactness::inexact), Rounding::all, one(), 20);
  REQUIRE(hard);
  CHECK(hard->kind == Kind::hard);
  CHECK(std::fabs(hard->bits - 20) < 1e-9);
  CHECK(confirm(function_of(ends_on_bound, function::Exactness::unknown), Rounding::all, one(), 20)->kind ==
        Kind::undecided);
}

TEST_CASE("confirm: no value, no case; values out of reach are refused") {
  const function::Function undefined = function_of(
      [](mpfr_srcptr, long precision) { return function::ValueEnclosure(precision); }, function::Exactness::unknown);
  for (const Rounding grid : grids)
    CHECK_FALSE(confirm(undefined, grid));
  const auto power = [](long exponent) {
    return function_of(
        [exponent](mpfr_srcptr, long precision) {
          function::ValueEnclosure value(precision);
          mpfr_set_si_2exp(value.lower, 3, exponent, MPFR_RNDN);
          mpfr_set(value.upper, value.lower, MPFR_RNDN);
          return value;
        },
        function::Exactness::unknown);
  };
  CHECK(confirm(power(function::most_value_exponent - 1), Rounding::all)->is_exact());
  CHECK(confirm(power(-function::most_value_exponent), Rounding::all)->is_exact());
  CHECK_THROWS_AS((void)confirm(power(function::most_value_exponent), Rounding::all), UsageError);
  CHECK_THROWS_AS((void)confirm(power(-function::most_value_exponent - 4), Rounding::all), UsageError);
}

TEST_CASE("confirmation: values of a format, subnormal, too large and too small") {
  const auto judge = [](double value, Rounding grid) {
    const function::Function f = function_of(
        [value](mpfr_srcptr, long precision) {
          function::ValueEnclosure enclosure(precision);
          mpfr_set_d(enclosure.lower, value, MPFR_RNDN);
          mpfr_set_d(enclosure.upper, value, MPFR_RNDN);
          return enclosure;
        },
        function::Exactness::exact);
    return Confirmation(f, {grid, 11, -14, 15}, 6).confirm(one());
  };
  // A little above 3·2^−25, the midpoint of two subnormal numbers.
  const auto found = judge(0x3.01p-25, Rounding::all);
  REQUIRE(found);
  CHECK(found->breakpoint == Breakpoint::midpoint);
  CHECK(found->bits == 8);
  CHECK_FALSE(judge(0x3.01p-25, Rounding::directed));
  CHECK(judge(0x3.01p-25, Rounding::nearest).value().bits == 9);
  CHECK(judge(0x1p-24, Rounding::directed).value().is_exact());
  // Neither next to 0 nor next to the number after the last breakpoint.
  CHECK_FALSE(judge(0x1p-34, Rounding::all));
  CHECK_FALSE(judge(0x1p-34, Rounding::directed));
  CHECK_FALSE(judge(0x1p-34, Rounding::nearest));
  CHECK(judge(0x1.ffc004p+15, Rounding::all).value().breakpoint == Breakpoint::representable);
  CHECK(judge(0x1.ffe004p+15, Rounding::nearest).value().breakpoint == Breakpoint::midpoint);
  CHECK_FALSE(judge(0x1.ffffffp+15, Rounding::all));
  CHECK_FALSE(judge(0x1.ffffffp+15, Rounding::directed));
  CHECK_FALSE(judge(0x1p+16, Rounding::all));
  CHECK_FALSE(judge(0x1.8p+700, Rounding::directed));
  // Where MPFR itself over- or underflows.
  for (const char* x : {"0x1p+1000", "-0x1p+1000"}) {
    const job::Job job = [] {
      job::Job values;
      values.function = &function::find_function("exp");
      values.format = find_format("binary64");
      values.values = Values::format;
      return values;
    }();
    CHECK_FALSE(Confirmation(*job.function, job.grid(), 44).confirm(number(x)));
  }
}

TEST_CASE("confirmation: values far below the least midpoint have the bits of their own distance from it") {
  // With K = 1 they are cases, 0.08 to 0.5 spacings of 2^-24 below the midpoint.
  const function::Function& exp2 = function::find_function("exp2");
  const Format format = find_format("binary16");
  format::BreakpointGrid grid{Rounding::nearest, format.precision, format.min_exponent, format.max_exponent};
  const auto bits = [&](const char* x) { return Confirmation(exp2, grid, 1).confirm(number(x))->bits; };
  for (const char* x : {"-25.25", "-26", "-27.5", "-33", "-60"}) {
    const double distance = 0.5 - std::exp2(24 + std::stod(x));
    CHECK(bits(x) == doctest::Approx(-std::log2(distance)).epsilon(1e-6));
  }
}

} // namespace tmd::verify
