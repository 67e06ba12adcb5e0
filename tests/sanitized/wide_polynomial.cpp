// Polynomials of sub-intervals for the wide test, from the kernels' own text, against exact integers.
#include "sanitized/wide_groups.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using i32 = std::int32_t;
using std::fma;
using std::ldexp;
u32 as_uint(float x) { return std::bit_cast<u32>(x); }
#define PURE [[maybe_unused]] static inline
#define TMD_UNROLL
#define TMD_ROLLED
#define TMD_VECTOR_WIDTH 1
#define global
// clang-format off
#include "cl_kernels/common/vector.clh"
#include "cl_kernels/common/vector32.clh"
#include "cl_kernels/wide/polynomial.clh"
// clang-format on

// The shift for coefficients of that many words.
#define TMD_COEFFICIENT_WORDS 4
namespace words_4 {
#include "cl_kernels/wide/shift.clh"
}
#undef TMD_COEFFICIENT_WORDS
#define TMD_COEFFICIENT_WORDS 5
namespace words_5 {
#include "cl_kernels/wide/shift.clh"
}
#undef TMD_COEFFICIENT_WORDS
#define TMD_COEFFICIENT_WORDS 6
namespace words_6 {
#include "cl_kernels/wide/shift.clh"
}
#undef TMD_COEFFICIENT_WORDS
#define TMD_COEFFICIENT_WORDS 7
namespace words_7 {
#include "cl_kernels/wide/shift.clh"
}
#undef TMD_COEFFICIENT_WORDS
#define TMD_COEFFICIENT_WORDS 8
namespace words_8 {
#include "cl_kernels/wide/shift.clh"
}
#undef TMD_COEFFICIENT_WORDS
#define TMD_COEFFICIENT_WORDS 9
namespace words_9 {
#include "cl_kernels/wide/shift.clh"
}
#undef TMD_COEFFICIENT_WORDS
#define TMD_COEFFICIENT_WORDS 10
namespace words_10 {
#include "cl_kernels/wide/shift.clh"
}
#undef TMD_COEFFICIENT_WORDS
#undef global
using ShiftTo = u32 (*)(const u64*, u32, u32, int, int, u32*);
using ScaledFloat = float (*)(const u32*, int, int);

// Numbers modulo 1 in units of 2^−64·words, least significant word first.
template <std::size_t words> struct Fraction {
  std::array<u64, words> word{};

  friend Fraction operator+(const Fraction& x, const Fraction& y) {
    Fraction sum;
    tmd::u128 carry = 0;
    for (std::size_t i = 0; i < words; ++i) {
      carry += tmd::u128(x.word[i]) + y.word[i];
      sum.word[i] = static_cast<u64>(carry);
      carry >>= 64;
    }
    return sum;
  }
  friend Fraction operator*(const Fraction& x, u64 factor) {
    Fraction product;
    tmd::u128 carry = 0;
    for (std::size_t i = 0; i < words; ++i) {
      carry += tmd::u128(x.word[i]) * factor;
      product.word[i] = static_cast<u64>(carry);
      carry >>= 64;
    }
    return product;
  }
  Fraction operator-() const {
    Fraction one;
    one.word[0] = 1;
    Fraction inverted = *this;
    for (u64& w : inverted.word)
      w = ~w;
    return inverted + one;
  }
  [[nodiscard]] u64 first() const { return word[words - 1]; }
  [[nodiscard]] u32 limb(std::size_t i) const {
    return static_cast<u32>(word[words - 1 - i / 2] >> (i % 2 == 0 ? 32 : 0));
  }
  // The number x·2^exponent, −1/2 ≤ x < 1/2, to 2^−53 of it.
  [[nodiscard]] double real(int exponent) const {
    const bool negative = first() >> 63 != 0;
    const Fraction size = negative ? -*this : *this;
    double sum = 0;
    for (std::size_t i = 0; i < words; ++i)
      sum += std::ldexp(static_cast<double>(size.word[i]), exponent - 64 * static_cast<int>(words - i));
    return negative ? -sum : sum;
  }
};

u64 binomial(u64 n, u64 k) {
  u64 result = 1;
  for (u64 i = 1; i <= k; ++i)
    result = result * (n - k + i) / i;
  return result;
}

// Greatest differences from the exact numbers.
struct Worst {
  u64 value = 0; // in whole units of 2^−64
  u64 slope = 0;
  double scaled = 0;    // in 2^−24 of it
  double curvature = 0; // in 2^−24 of the sum of its terms' sizes
  u64 wrong = 0;
};

// Coefficients as in intervals, and some for which carries and signs reach their limits.
template <std::size_t words> Fraction<words> random_coefficient(tmd::Random& random) {
  Fraction<words> x;
  for (u64& w : x.word)
    w = random.one_in(4) ? (random.one_in(2) ? 0 : ~u64(0)) : random();
  if (random.one_in(2)) { // small
    const std::size_t zeros = random.below(64 * words);
    for (std::size_t i = 0; i < words; ++i) {
      const std::size_t above = 64 * (words - 1 - i);
      if (above + 64 <= zeros)
        x.word[i] = 0;
      else if (above < zeros)
        x.word[i] &= ~u64(0) >> (zeros - above);
    }
  }
  if (random.one_in(16))
    x = {};
  return random.one_in(2) ? -x : x;
}

template <std::size_t words> Worst examine(ShiftTo shift_to, ScaledFloat scaled_float) {
  tmd::Random random(words);
  Worst worst;
  for (int round = 0; round < 20000; ++round) {
    const u32 size = random.one_in(16) ? 1 + static_cast<u32>(random.below(4)) : 5 + static_cast<u32>(random.below(8));
    const int sub_bits = 8 + static_cast<int>(random.below(25));
    const int scale = 2 * static_cast<int>(5 + random.below(17));
    const u32 number = random.one_in(16) ? 0 : static_cast<u32>(random()) >> random.below(32);
    std::vector<Fraction<words>> coefficients(size);
    std::vector<u64> given;
    for (Fraction<words>& c : coefficients) {
      c = random_coefficient<words>(random);
      given.insert(given.end(), c.word.rbegin(), c.word.rend());
    }
    std::array<u32, TMD_RECORD_LIMBS> record{};
    const u32 sum = shift_to(given.data(), size, number, scale, sub_bits, record.data());
    worst.wrong += sum != std::accumulate(record.begin(), record.begin() + TMD_RECORD_SUM, u32(0));

    // b_j·2^(j·sub_bits) = Σ C(k, j)·number^(k − j)·c_k modulo 2^128, of which b_j is wanted modulo 1.
    std::array<Fraction<words>, 5> b{};
    std::size_t at = 0;
    for (u32 j = 0; j < 5; ++j) {
      for (u32 k = j; k < size; ++k) {
        Fraction<words> term = coefficients[k] * binomial(k, j);
        for (u32 i = j; i < k; ++i)
          term = term * number;
        b[j] = b[j] + term;
      }
      for (int bit = static_cast<int>(j) * sub_bits; bit < 128; ++bit)
        b[j] = b[j] + b[j];
      for (std::size_t limb = 0; limb < j + 2; ++limb)
        worst.wrong += record[at++] != b[j].limb(limb);
    }

    // The floats, which may be a unit off if they are negative, and are 0 below 2^−126.
    std::array<double, 3> exact{};
    for (std::size_t j = 2; j < 5; ++j) {
      const int exponent = scale + static_cast<int>(j - 2) * sub_bits;
      const int limbs = 2 * static_cast<int>(words) - 4 + static_cast<int>(j);
      const double slack = std::ldexp(1.0, exponent - 32 * limbs) + 0x1p-126;
      exact[j - 2] = b[j].real(exponent);
      std::array<u32, 2 * words> most_significant_first{}; // from limb 4 − j on
      for (std::size_t limb = 0; limb + 4 - j < 2 * words; ++limb)
        most_significant_first[limb + 4 - j] = b[j].limb(limb);
      const auto is_off = [&](double x, double by, double unit) {
        const double off = std::max(0.0, std::abs(x - by) - unit);
        return off == 0 ? 0 : off / std::abs(by) * 0x1p24;
      };
      worst.scaled =
          std::max(worst.scaled, is_off(scaled_float(most_significant_first.data(), 4 - static_cast<int>(j), exponent),
                                        exact[j - 2], slack));
      const double times = j == 2 ? 1 : j == 3 ? 3 : 6;
      exact[j - 2] *= times;
      worst.wrong += is_off(std::bit_cast<float>(record[TMD_RECORD_FLOATS + j - 2]), exact[j - 2], times * slack) > 4;
    }

    for (int i = 0; i < 4; ++i) {
      const u64 greatest = (u64(1) << sub_bits) - 1;
      const auto t = static_cast<u32>(i == 0 ? greatest : i == 1 ? random.below(3) : random() & greatest);
      Fraction<words> value = b[4];
      Fraction<words> slope = b[4] * 4;
      for (std::size_t j = 4; j-- > 0;) {
        value = value * t + b[j];
        if (j > 0)
          slope = slope * t + b[j] * j;
      }
      u64 slope_at_t = 0;
      const u64 value_at_t = value_and_slope_at(record.data(), t, &slope_at_t);
      worst.wrong += value_at(record.data(), t) != value_at_t;
      // They are truncated: never more than the exact number.
      worst.value = std::max(worst.value, value.first() - value_at_t);
      worst.slope = std::max(worst.slope, slope.first() - slope_at_t);

      // Error as a part of the terms' sizes, if these are not tiny.
      const double part = std::ldexp(static_cast<double>(t), -sub_bits);
      const double of_exact = exact[0] + (exact[1] + exact[2] * part) * part;
      const double sizes = std::abs(exact[0]) + (std::abs(exact[1]) + std::abs(exact[2]) * part) * part;
      const float curvature = curvature_at(
          std::bit_cast<float>(record[TMD_RECORD_FLOATS]), std::bit_cast<float>(record[TMD_RECORD_FLOATS + 1]),
          std::bit_cast<float>(record[TMD_RECORD_FLOATS + 2]), static_cast<float>(part));
      const double off = std::abs(static_cast<double>(curvature) - of_exact) - 0x1p-80;
      worst.curvature = std::max(worst.curvature, off <= 0 ? 0 : off / sizes * 0x1p24);
    }
  }
  return worst;
}

void check(const Worst& worst) {
  INFO("value " << worst.value << ", slope " << worst.slope << ", scaled " << worst.scaled << ", curvature "
                << worst.curvature);
  CHECK(worst.wrong == 0);
  CHECK(worst.value < 10);
  CHECK(worst.slope < 30);
  CHECK(worst.scaled <= 3);
  CHECK(worst.curvature <= 8);
  // The trials are hard enough to decide.
  CHECK(worst.value >= 2);
  CHECK(worst.slope >= 4);
  CHECK(worst.scaled >= 0.9);
  CHECK(worst.curvature >= 1);
}

} // namespace

TEST_CASE("wide polynomials: 4 words") { check(examine<4>(words_4::shift_to, words_4::scaled_float)); }
TEST_CASE("wide polynomials: 5 words") { check(examine<5>(words_5::shift_to, words_5::scaled_float)); }
TEST_CASE("wide polynomials: 6 words") { check(examine<6>(words_6::shift_to, words_6::scaled_float)); }
TEST_CASE("wide polynomials: 7 words") { check(examine<7>(words_7::shift_to, words_7::scaled_float)); }
TEST_CASE("wide polynomials: 8 words") { check(examine<8>(words_8::shift_to, words_8::scaled_float)); }
TEST_CASE("wide polynomials: 9 words") { check(examine<9>(words_9::shift_to, words_9::scaled_float)); }
TEST_CASE("wide polynomials: 10 words") { check(examine<10>(words_10::shift_to, words_10::scaled_float)); }
