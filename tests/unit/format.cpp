// Formats, arguments and their ranks, breakpoint grids, upper bounds.
#include "error.hpp"
#include "format/argument.hpp"
#include "format/grid.hpp"
#include "number/bound.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace tmd;

TEST_CASE("formats by name") {
  struct Row {
    const char* name;
    int precision, min_exponent, max_exponent;
  };
  for (const Row& row : {Row{"binary16", 11, -14, 15}, Row{"bfloat16", 8, -126, 127}, Row{"binary32", 24, -126, 127},
                         Row{"binary64", 53, -1022, 1023}, Row{"binary80", 64, -16382, 16383},
                         Row{"p2", 2, -1022, 1023}, Row{"p64", 64, -1022, 1023}}) {
    const Format format = find_format(row.name);
    CHECK(format.name == row.name);
    CHECK(format.precision == row.precision);
    CHECK(format.min_exponent == row.min_exponent);
    CHECK(format.max_exponent == row.max_exponent);
  }
  for (const char* name : {"", "p", "p1", "p65", "p-3", "p3x", "binary128", "Binary64"})
    CHECK_THROWS_AS((void)find_format(name), UsageError);
}

TEST_CASE("ranks are consecutive integers in the order of the numbers") {
  for (const int precision : {2, 3, 11, 12}) {
    const ArgumentSet set(find_format("binary16"), precision);
    const auto end = set.end();
    CHECK(end == int128(31) << (precision - 1)); // the subnormal numbers and 30 binades
    CHECK(to_hex(set.at(end)) == "0x1p+16");
    CHECK(to_hex(set.at(1)) == to_hex({false, 1, -14 - precision + 1}));
    std::size_t wrong = 0;
    for (auto rank = -end + 1; rank <= end; ++rank) {
      wrong += set.parse(to_hex(set.at(rank)), "") != rank;
      wrong += compare(set.at(rank - 1), set.at(rank)) != -1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("ranks at the ends of wide formats") {
  for (const char* name : {"binary64", "binary80", "bfloat16"})
    for (const int precision : {2, 53, 64, 65}) {
      const Format format = find_format(name);
      const ArgumentSet set(format, precision);
      const int128 binade = int128(1) << (precision - 1);
      for (const int128 rank : {int128(0), int128(1), binade - 1, binade, binade + 1, 2 * binade - 1, 2 * binade,
                                set.end() / 2, set.end() - 1, set.end()})
        for (const int128 signed_rank : {rank, -rank}) {
          if (signed_rank == -set.end())
            continue; // neither a number nor the end of a range
          const Argument x = set.at(signed_rank);
          CHECK(set.parse(to_hex(x), "") == signed_rank);
          CHECK(bit_length(x.significand) <= precision);
          CHECK(x.unit_exponent >= format.min_exponent - precision + 1);
        }
      CHECK(bit_length(set.at(set.end() - 1).significand) == precision);
    }
  CHECK_THROWS_AS(ArgumentSet(find_format("binary64"), 1), UsageError);
  CHECK_THROWS_AS(ArgumentSet(find_format("binary64"), 66), UsageError);
}

TEST_CASE("numbers are read exactly or not at all") {
  const ArgumentSet set(find_format("binary64"), 53);
  const auto one = set.parse("1", "");
  CHECK(set.at(one) == Argument{false, uint128(1) << 52, -52});
  CHECK(set.parse("0x1p+0", "") == one);
  CHECK(set.parse("1.0000000000000002220446049250313080847263336181640625", "") == one + 1);
  CHECK(set.parse("-0x1.0000000000001p0", "") == -one - 1);
  CHECK(set.parse("0", "") == 0);
  CHECK(set.parse("-0", "") == 0);
  CHECK(set.parse("0x1p-1074", "") == 1);
  CHECK(set.parse("0x1p1024", "") == set.end());
  for (const char* text : {"", "x", "1x", "nan", "inf", "-inf", "1.1", "0x1.00000000000008p+0", "0x1p-1075",
                           "0x1.8p1024", "-0x1p1024", "1e400", " 1", "\n1", "1 ", "0x1p-200000000000000000000"})
    CHECK_THROWS_AS((void)set.parse(text, "--from"), UsageError);
  // One bit more: the midpoints of binary64.
  const ArgumentSet wide(find_format("binary64"), 54);
  CHECK(wide.parse("0x1.00000000000008p+0", "") == wide.parse("1", "") + 1);
  try {
    (void)set.parse("1.1", "--from");
  } catch (const UsageError& error) {
    CHECK(std::string(error.what()).find("--from") != std::string::npos);
    CHECK(error.status() == Status::usage);
  }
}

TEST_CASE("hex floats agree with printf's") {
  std::mt19937_64 random(3);
  std::size_t wrong = 0;
  for (int i = 0; i < 3000; ++i) {
    const Argument x{i % 2 == 0, random() >> (random() % 64), static_cast<int>(random() % 200) - 100};
    wrong += x.significand != 0 &&
             std::strtold(to_hex(x).c_str(), nullptr) !=
                 std::ldexp(static_cast<long double>(static_cast<std::uint64_t>(x.significand)), x.unit_exponent) *
                     (x.negative ? -1 : 1);
    const double value = mpfr_get_d(to_mpfr({x.negative, x.significand >> 11, x.unit_exponent}), MPFR_RNDN);
    wrong +=
        value != std::ldexp(static_cast<double>(static_cast<std::uint64_t>(x.significand >> 11)), x.unit_exponent) *
                     (x.negative ? -1 : 1);
  }
  CHECK(wrong == 0);
  CHECK(to_hex({false, 0, 5}) == "0x0p+0");
  CHECK(to_hex({true, 3, -1}) == "-0x1.8p+0");
  CHECK(to_hex({false, (uint128(1) << 64) + 1, -64}) == "0x1.0000000000000001p+0");
}

TEST_CASE("binades hold every argument of a range once") {
  for (const int precision : {3, 11, 12}) {
    const ArgumentSet set(find_format("binary16"), precision);
    const int128 binade = int128(1) << (precision - 1);
    std::mt19937_64 random(5);
    for (int i = 0; i < 60; ++i) {
      // Ends on, before and behind changes of binade, and anywhere.
      const auto end = static_cast<std::uint64_t>(set.end());
      int128 first = i % 2 == 0 ? binade * static_cast<int>(random() % 20) + static_cast<int>(random() % 3) - 1
                                : static_cast<int128>(random() % end);
      first = std::max<int128>(first, 1);
      int128 last = first + static_cast<int128>(random() % static_cast<std::uint64_t>(4 * binade)) + 1;
      const bool negative = i % 3 == 0;
      const auto binades = negative ? set.binades(1 - last, 1 - first) : set.binades(first, last);
      int128 rank = first;
      std::size_t wrong = 0;
      for (const Binade& part : binades) {
        CHECK(part.negative == negative);
        for (uint128 j = 0; j < part.count; ++j, ++rank)
          wrong += compare({negative, part.first + j, part.unit_exponent}, set.at(negative ? -rank : rank)) != 0;
        // Equally spaced: one exponent, or subnormal.
        wrong += bit_length(part.first) != bit_length(part.first + part.count - 1) &&
                 part.unit_exponent != -14 - precision + 1;
      }
      CHECK(rank == last);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("breakpoint grids") {
  CHECK(parse_rounding("nearest") == Rounding::nearest);
  CHECK(parse_rounding("directed") == Rounding::directed);
  CHECK(parse_rounding("all") == Rounding::all);
  CHECK_THROWS_AS((void)parse_rounding("up"), UsageError);
  // In [2^3, 2^4) with 53 bits the ulp is 2^−49.
  CHECK(BreakpointGrid{Rounding::directed, 53}.spacing_exponent(3) == -49);
  CHECK(BreakpointGrid{Rounding::nearest, 53}.spacing_exponent(3) == -49);
  CHECK(BreakpointGrid{Rounding::all, 53}.spacing_exponent(3) == -50);
  CHECK(BreakpointGrid{Rounding::nearest, 53}.shifted());
  CHECK_FALSE(BreakpointGrid{Rounding::directed, 53}.shifted());
  CHECK_FALSE(BreakpointGrid{Rounding::all, 53}.shifted());
  CHECK(BreakpointGrid{Rounding::all, 53}.kind(true) == Breakpoint::midpoint);
  CHECK(BreakpointGrid{Rounding::all, 53}.kind(false) == Breakpoint::representable);
  for (const bool odd : {false, true}) {
    CHECK(BreakpointGrid{Rounding::nearest, 53}.kind(odd) == Breakpoint::midpoint);
    CHECK(BreakpointGrid{Rounding::directed, 53}.kind(odd) == Breakpoint::representable);
  }
}

TEST_CASE("128-bit integers in text") {
  CHECK(to_string(uint128(0)) == "0");
  CHECK(to_string(~uint128(0)) == "340282366920938463463374607431768211455");
  CHECK(to_string(int128(-1) << 127) == "-170141183460469231731687303715884105728");
  CHECK(bit_length(0) == 0);
  CHECK(bit_length(uint128(1) << 64) == 65);
  CHECK(bit_length((uint128(1) << 64) - 1) == 64);
}

TEST_CASE("bounds only round up") {
  std::mt19937_64 random(11);
  const auto exactly = [](const Bound& bound) { return static_cast<long double>(bound.value()); };
  std::size_t low = 0;
  std::size_t high = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t x = random() >> (random() % 60);
    const std::uint64_t y = random() >> (random() % 60);
    const auto a = static_cast<long double>(x);
    const auto b = static_cast<long double>(y);
    low += exactly(Bound(x)) < a;
    low += exactly(Bound(x) + Bound(y)) < a + b;
    low += exactly(Bound(x) * Bound(y)) < a * b;
    low += exactly(Bound(x).scaled(-70)) < a * 0x1p-70L;
    low += Bound(x).scaled(-64).fixed_point() < x && x < ~std::uint64_t(0) - (std::uint64_t(1) << 36);
    high += exactly(Bound(x) + Bound(y)) > (a + b) * (1 + 0x1p-26L);
    high += exactly(Bound(x) * Bound(y)) > a * b * (1 + 0x1p-26L);
  }
  CHECK(low == 0);
  CHECK(high == 0);
  // A third is not a dyadic number: one unit of 2^−64 above what is below it.
  Arb third;
  arb_set_ui(third, 1);
  arb_div_ui(third, third, 3, 200);
  CHECK(Bound::of(third).fixed_point() > 0x5555555555555555);
  CHECK(Bound::power_of_two(-64).fixed_point() == 1);
  CHECK(Bound::power_of_two(-65).fixed_point() == 1);
  CHECK(Bound::power_of_two(-1000).fixed_point() == 1);
  CHECK(Bound::power_of_two(-2).fixed_point() == std::uint64_t(1) << 62);
  CHECK(Bound().fixed_point() == 0);
  CHECK_THROWS((void)Bound(1).fixed_point());
  CHECK((Bound::power_of_two(-10) + Bound::power_of_two(-60)).fixed_point() >
        (std::uint64_t(1) << 54) + (std::uint64_t(1) << 4) - 1);
  CHECK(power(Bound(3), 4).value() >= 81);
  CHECK(power(Bound(3), 0).value() == 1);
  CHECK(max(Bound(3), Bound(4)).value() == 4);
  Arb pole;
  arb_indeterminate(pole);
  CHECK_FALSE(Bound::of(pole).is_finite());
  CHECK_THROWS((void)Bound::of(pole).fixed_point());
  CHECK_FALSE(Bound::of(pole) < Bound::power_of_two(-2));
}
