// Arguments: their ranks, and how they are read and written.
#include "host/format/argument.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

namespace tmd::format {

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

TEST_CASE("arguments compare as MPFR does, whatever their units") {
  std::mt19937_64 random(1);
  std::size_t wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto argument = [&] {
      const uint128 bits = (uint128(random()) << 64 | random()) >> random() % 128;
      return Argument{random() % 2 == 0, random() % 16 == 0 ? 0 : bits, static_cast<int>(random() % 140) - 70};
    };
    const Argument left = argument();
    Argument right = argument();
    if (i % 4 == 0) { // the same number in another unit
      right = left;
      right.significand <<= 1;
      right.unit_exponent -= right.significand >> 1 == left.significand ? 1 : 0;
    }
    const int expected = mpfr_cmp(to_mpfr(left), to_mpfr(right));
    wrong += compare(left, right) != (expected > 0) - (expected < 0) ? 1 : 0;
  }
  CHECK(wrong == 0);
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
  for (const auto& [text, same] : {std::pair("2^0", "1"),
                                   {"2^100", "0x1p100"},
                                   {"-2^-3", "-0x1p-3"},
                                   {"+2^+4", "16"},
                                   {"1+2^-13", "0x1.0008p+0"},
                                   {"2^10-2^-40", "0x1.ffffffffffff8p+9"},
                                   {"2^4+2^3-1", "23"},
                                   {"1e2+2^3", "108"},
                                   {"1e+2-2^3", "92"},
                                   {"0x1e+2^1", "32"},
                                   {"0x1p+4+2^1", "18"},
                                   {"1-2^0", "0"},
                                   {"2^1024", "0x1p1024"},
                                   {"2^1024-2^971", "0x1.fffffffffffffp+1023"},
                                   {"2^-1074", "0x1p-1074"},
                                   {"-2^1023+2^1022", "-0x1p1022"}})
    CHECK_MESSAGE(set.parse(text, "") == set.parse(same, ""), text);
  for (const char* text : {"^",
                           "2^",
                           "2^x",
                           "2^+",
                           "2^+-3",
                           "2^1.5",
                           "3^2",
                           "2^2^2",
                           "1+",
                           "1++2^3",
                           "2^3 ",
                           " 2^3",
                           "2^3+",
                           "2^-",
                           "--2^3",
                           "2^3*2",
                           "1+2^-53",
                           "2^1025",
                           "2^99999999999999999999",
                           "-2^1024",
                           "2^-1075",
                           "2^-99999999999999999999",
                           "nan+2^3"})
    CHECK_THROWS_AS((void)set.parse(text, "--from"), UsageError);
  CHECK(set.parse("0x1p1024", "") == set.end());
  for (const char* text : {"", "x", "1x", "nan", "inf", "-inf", "1.1", "0x1.00000000000008p+0", "0x1p-1075",
                           "0x1.8p1024", "-0x1p1024", "1e400", " 1", "\n1", "1 ", "0x1p-200000000000000000000"})
    CHECK_THROWS_AS((void)set.parse(text, "--from"), UsageError);
  // One bit more: the midpoints of binary64.
  const ArgumentSet wide(find_format("binary64"), 54);
  CHECK(wide.parse("0x1.00000000000008p+0", "") == wide.parse("1", "") + 1);
  try {
    (void)set.parse("1.1", "--from");
    FAIL("1.1 was taken");
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

} // namespace tmd::format
