// FP64 division in integers, from the kernels' own text: small formats on every pair of numbers, binary64 against the
// machine's division; with the machine's division in float, and with those furthest off that OpenCL allows.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ using u128 = unsigned __int128;

u64 unsigned_high_half(u64 x, u64 y) { return static_cast<u64>((u128(x) * y) >> 64); }
int leading_zeros(u64 x) { return std::countl_zero(x); }

// The machine's quotient is half an ulp off at most, and 2.5 ulp are allowed.
int ulps_off = 0;
constexpr int allowed_ulps[] = {0, 2, -2};
float float_quotient(float x, float y) {
  return std::bit_cast<float>(static_cast<u32>(static_cast<int>(std::bit_cast<u32>(x / y)) + ulps_off));
}

// clang-format off
#define PURE [[maybe_unused]] inline
#define TMD_FLOAT_QUOTIENT(x, y) float_quotient(x, y)
#include "cl_kernels/bench/fp64_operands.clh"

#define TMD_FP64_STEPS 1
namespace newton {
#include "cl_kernels/bench/fp64_division.clh"
#undef TMD_FRACTION_BITS
#undef TMD_EXPONENT_BITS
namespace small_4_5 {
#define TMD_EXPONENT_BITS 4
#define TMD_FRACTION_BITS 5
#include "cl_kernels/bench/fp64_division.clh"
#undef TMD_FRACTION_BITS
#undef TMD_EXPONENT_BITS
}
namespace small_5_3 {
#define TMD_EXPONENT_BITS 5
#define TMD_FRACTION_BITS 3
#include "cl_kernels/bench/fp64_division.clh"
#undef TMD_FRACTION_BITS
#undef TMD_EXPONENT_BITS
}
}
#undef TMD_FP64_STEPS
#define TMD_FP64_STEPS 2
namespace halley {
#include "cl_kernels/bench/fp64_division.clh"
#undef TMD_FRACTION_BITS
#undef TMD_EXPONENT_BITS
namespace small_4_5 {
#define TMD_EXPONENT_BITS 4
#define TMD_FRACTION_BITS 5
#include "cl_kernels/bench/fp64_division.clh"
#undef TMD_FRACTION_BITS
#undef TMD_EXPONENT_BITS
}
namespace small_3_6 {
#define TMD_EXPONENT_BITS 3
#define TMD_FRACTION_BITS 6
#include "cl_kernels/bench/fp64_division.clh"
}
}
// clang-format on

using Divide = u64 (*)(u64 x, u64 y);

// A format of a few bits, with its numbers as doubles.
struct SmallFormat {
  int exponent_bits;
  int fraction_bits;

  [[nodiscard]] int bits() const { return 1 + exponent_bits + fraction_bits; }
  [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }

  [[nodiscard]] double value(u64 number) const {
    const u64 fraction = number & ((u64(1) << fraction_bits) - 1);
    const int exponent = static_cast<int>(number >> fraction_bits) & ((1 << exponent_bits) - 1);
    const double sign = (number >> (bits() - 1)) != 0 ? -1.0 : 1.0;
    if (exponent == (1 << exponent_bits) - 1)
      return fraction != 0 ? std::nan("") : sign * INFINITY;
    const u64 significand = exponent == 0 ? fraction : fraction + (u64(1) << fraction_bits);
    return sign * std::ldexp(static_cast<double>(significand), std::max(exponent, 1) - bias() - fraction_bits);
  }

  // Rounds to nearest, ties to even.
  [[nodiscard]] double rounded(double x) const {
    if (x == 0 || !std::isfinite(x))
      return x;
    const int unit = std::max(std::ilogb(x), 1 - bias()) - fraction_bits;
    const double result = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
    return std::abs(result) >= std::ldexp(1.0, bias() + 1) ? std::copysign(INFINITY, x) : result;
  }
};

// A quotient in double, rounded again, is the format's quotient: 53 bits are more than twice the format's and two.
void check_small_format(const SmallFormat& format, Divide divide) {
  const u64 size = u64(1) << format.bits();
  u64 wrong = 0;
  u64 subnormal = 0;
  u64 infinite = 0;
  for (u64 x = 0; x < size; ++x)
    for (u64 y = 0; y < size; ++y) {
      const u64 quotient = divide(x, y);
      const double expected = format.rounded(format.value(x) / format.value(y));
      if (std::isnan(expected))
        wrong += quotient >= size || !std::isnan(format.value(quotient));
      else
        wrong += quotient >= size || std::bit_cast<u64>(format.value(quotient)) != std::bit_cast<u64>(expected);
      subnormal += expected != 0 && std::abs(expected) < std::ldexp(1.0, 1 - format.bias());
      infinite += std::isinf(expected);
    }
  CHECK(wrong == 0);
  CHECK(100 * subnormal > size * size);
  CHECK(100 * infinite > size * size);
}

bool is_nan(u64 number) { return number << 1 > 0xffe0000000000000; }

u64 machine_quotient(u64 x, u64 y) { return std::bit_cast<u64>(std::bit_cast<double>(x) / std::bit_cast<double>(y)); }

bool agrees(u64 quotient, u64 expected) { return quotient == expected || (is_nan(quotient) && is_nan(expected)); }

// How a quotient lies between the numbers of binary64 and the midpoints, exactly.
enum class Place { special, ordinary, exact, tie, beside_number, beside_midpoint };

Place place_of(u64 x, u64 y) {
  const auto exponent = [](u64 number) { return static_cast<int>(number >> 52 & 2047); };
  const auto significand = [&](u64 number) {
    return (number & 0xfffffffffffff) | (exponent(number) != 0 ? u64(1) << 52 : 0);
  };
  const u64 result = machine_quotient(x, y);
  if (exponent(x) == 2047 || exponent(y) == 2047 || exponent(result) == 2047 || significand(x) == 0 ||
      significand(y) == 0)
    return Place::special;
  // The quotient in halves of the result's unit.
  const int shift =
      std::max(exponent(x), 1) - std::max(exponent(y), 1) - (std::max(exponent(result), 1) - 1023 - 52 - 1);
  if (shift < -60 || shift > 72)
    return Place::ordinary;
  const u128 numerator = u128(significand(x)) << std::max(shift, 0);
  const u128 denominator = u128(significand(y)) << std::max(-shift, 0);
  const bool odd = numerator / denominator % 2 != 0;
  const u128 rest = numerator % denominator;
  if (rest == 0)
    return odd ? Place::tie : Place::exact;
  if (rest <= denominator >> 32)
    return odd ? Place::beside_midpoint : Place::beside_number;
  if (denominator - rest <= denominator >> 32)
    return odd ? Place::beside_number : Place::beside_midpoint;
  return Place::ordinary;
}

} // namespace

TEST_CASE("FP64 division: every pair of numbers of small formats") {
  for (const int ulps : allowed_ulps) {
    ulps_off = ulps;
    CAPTURE(ulps);
    check_small_format({4, 5}, newton::small_4_5::fp_divide);
    check_small_format({4, 5}, halley::small_4_5::fp_divide);
    check_small_format({5, 3}, newton::small_5_3::fp_divide);
    check_small_format({3, 6}, halley::small_3_6::fp_divide);
  }
  ulps_off = 0;
}

TEST_CASE("FP64 division: the reciprocal is from below, and as close as its proof says") {
  for (const int ulps : allowed_ulps) {
    ulps_off = ulps;
    for (const auto reciprocal : {newton::fp_reciprocal, halley::fp_reciprocal}) {
      u64 wrong = 0;
      u64 state = 7;
      for (int i = 0; i < 300000; ++i) {
        const u64 random = fp64_random(&state);
        u64 y = random | u64(1) << 63;
        if (i % 4 != 0) // neighbours of the greatest numbers in float and in the upper half, and of powers of two
          y = (i % 4 == 1 ? y >> 40 << 40 : i % 4 == 2 ? y >> 32 << 32 : u64(1) << 63) + (random % 9 - 4);
        y |= u64(1) << 63;
        const u128 exact = (u128(1) << 126) / y;
        const u128 found = reciprocal(y);
        wrong += found > exact || exact - found > exact >> 58;
      }
      CHECK(wrong == 0);
    }
  }
  ulps_off = 0;
}

TEST_CASE("FP64 division: ordinary and hard operands, as the machine divides") {
  constexpr u64 count = 4'000'000;
  for (const int ulps : allowed_ulps) {
    ulps_off = ulps;
    std::array<u64, 2> wrong{};
    const auto seed = static_cast<u64>(ulps + 10);
    for (u64 i = 0; i < count; ++i) {
      u64 x = 0;
      u64 y = 0;
      fp64_operands(seed, i, &x, &y);
      const u64 expected = machine_quotient(x, y);
      wrong[0] += !agrees(newton::fp_divide(x, y), expected);
      wrong[1] += !agrees(halley::fp_divide(x, y), expected);
    }
    CHECK(wrong[0] == 0);
    CHECK(wrong[1] == 0);
  }
  ulps_off = 0;
}

TEST_CASE("FP64 division: the operands that check it are hard") {
  constexpr u64 count = 400'000;
  std::array<u64, 6> normal{};
  std::array<u64, 6> subnormal{};
  std::array<u64, 4> results{}; // zeros, infinities, NaNs, others
  for (u64 i = 0; i < count; ++i) {
    u64 x = 0;
    u64 y = 0;
    fp64_operands(1, i, &x, &y);
    const u64 quotient = machine_quotient(x, y);
    const u64 magnitude = quotient << 1;
    ++results[magnitude == 0 ? 0 : magnitude == 0xffe0000000000000 ? 1 : is_nan(quotient) ? 2 : 3];
    ++(magnitude >> 53 == 0 ? subnormal : normal)[static_cast<unsigned>(place_of(x, y))];
  }
  const auto at = [](const std::array<u64, 6>& counts, Place place) { return counts[static_cast<unsigned>(place)]; };
  for (const Place place : {Place::ordinary, Place::exact, Place::beside_number, Place::beside_midpoint}) {
    CAPTURE(static_cast<int>(place));
    CHECK(at(normal, place) > count / 200);
    CHECK(at(subnormal, place) > count / 200);
  }
  CHECK(at(normal, Place::tie) == 0); // there are no such numbers
  CHECK(at(subnormal, Place::tie) > count / 200);
  for (const u64 of_kind : results)
    CHECK(of_kind > count / 200);
}

TEST_CASE("FP64 division: numbers at the ends of exponents and fractions, all pairs") {
  std::vector<u64> numbers;
  for (const u64 exponent : {0, 1, 2, 52, 53, 54, 970, 1021, 1022, 1023, 1024, 1074, 1075, 1076, 2045, 2046, 2047})
    for (const u64 fraction : {u64(0), u64(1), u64(2), u64(3), u64(0x5555555555555), u64(0x7ffffffffffff),
                               u64(0x8000000000000), u64(0x8000000000001), u64(0xffffffffffffe), u64(0xfffffffffffff)})
      for (const u64 sign : {u64(0), u64(1)})
        numbers.push_back(sign << 63 | exponent << 52 | fraction);
  for (int bit = 0; bit < 52; ++bit) // subnormal numbers of every length
    for (const u64 offset : {u64(0), u64(1), ~u64(0)})
      numbers.push_back((u64(1) << bit) + offset);
  u64 wrong = 0;
  for (const u64 x : numbers)
    for (const u64 y : numbers) {
      wrong += !agrees(newton::fp_divide(x, y), machine_quotient(x, y));
      wrong += !agrees(halley::fp_divide(x, y), machine_quotient(x, y));
    }
  CHECK(wrong == 0);
}

TEST_CASE("FP64 division: NaNs keep the first operand's payload, made quiet") {
  constexpr u64 one = 0x3ff0000000000000;
  constexpr u64 infinity = 0x7ff0000000000000;
  constexpr u64 sign = u64(1) << 63;
  constexpr u64 signalling = 0xfff0000000012345;
  constexpr u64 quiet = 0x7ff8000000054321;
  constexpr u64 invalid = 0x7ff8000000000000;
  for (const Divide divide : {newton::fp_divide, halley::fp_divide}) {
    for (const u64 other : {one, u64(0), infinity, u64(1), quiet, one | sign}) {
      CHECK(divide(signalling, other) == 0xfff8000000012345);
      CHECK(divide(quiet, other) == quiet);
      CHECK(divide(other, signalling) == (is_nan(other) ? other : 0xfff8000000012345));
    }
    CHECK(divide(quiet, signalling) == quiet);
    for (const u64 signs : {u64(0), sign}) {
      CHECK(divide(signs, 0) == invalid);
      CHECK(divide(0, signs) == invalid);
      CHECK(divide(signs | infinity, infinity) == invalid);
      CHECK(divide(one, signs) == (signs | infinity));
      CHECK(divide(signs | one, infinity) == signs);
      CHECK(divide(signs | infinity, 0) == (signs | infinity));
      CHECK(divide(signs, infinity) == signs);
    }
  }
}
