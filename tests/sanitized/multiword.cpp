// Numbers of several words, from the kernels' own text, against schoolbook arithmetic on digits of 16 bits.
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
u64 unsigned_high_half(u64 x, u64 y) {
  __extension__ using u128 = unsigned __int128;
  return static_cast<u64>((u128(x) * y) >> 64);
}
#define PURE static
#define TMD_UNROLL
#define TMD_VECTOR_WIDTH 1
#include "cl_kernels/common/vector.clh"

#include "cl_kernels/common/multiword.clh"

template <int words> struct Kernel {
  TMD_DEFINE_ADD(add, words)
  TMD_DEFINE_SCALE(scale, words)
};
template <int words, int factor_words> struct Product { TMD_DEFINE_ADD_PRODUCT(add, words, factor_words, ) };

// A number modulo 2^(16·digits), least significant digit first.
using Number = std::vector<u32>;

constexpr u32 digit = 0xffff;

const std::uint64_t trials = tmd::test::trials(20000);

template <std::size_t words> Number number(const std::array<u64, words>& x) {
  Number result;
  for (std::size_t i = words; i-- > 0;)
    for (int part = 0; part < 4; ++part)
      result.push_back(static_cast<u32>(x[i] >> (16 * part)) & digit);
  return result;
}

template <std::size_t words> std::array<u64, words> words_of(const Number& x) {
  std::array<u64, words> result{};
  for (std::size_t i = 0; i < 4 * words; ++i)
    result[words - 1 - i / 4] |= u64(i < x.size() ? x[i] : 0) << (i % 4 * 16);
  return result;
}

Number sum(const Number& x, const Number& y) {
  Number result;
  u32 carry = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    carry += x[i] + y[i];
    result.push_back(carry & digit);
    carry >>= 16;
  }
  return result;
}

// Modulo 2^(16·digits), any number of digits.
Number product(const Number& x, const Number& y, std::size_t digits) {
  Number result(digits);
  for (std::size_t i = 0; i < x.size(); ++i) {
    u64 carry = 0;
    for (std::size_t j = 0; i + j < digits; ++j) {
      carry += result[i + j] + u64(x[i]) * (j < y.size() ? y[j] : 0);
      result[i + j] = static_cast<u32>(carry) & digit;
      carry >>= 16;
    }
  }
  return result;
}

Number small(u64 value) { return number(std::array<u64, 1>{value}); }

int bit_length(const Number& x) {
  for (std::size_t i = x.size(); i-- > 0;)
    for (int bit = 15; bit >= 0; --bit)
      if ((x[i] >> bit & 1) != 0)
        return static_cast<int>(16 * i) + bit + 1;
  return 0;
}

// Random words, more often than not such that carries stop, pass or begin.
u64 any_word(std::mt19937_64& random) {
  static constexpr u64 extremes[] = {0, 1, ~u64(0), ~u64(0) - 1, u64(1) << 63, 0xffffffff, u64(1) << 32};
  const u64 choice = random() % 14;
  return choice < 7 ? extremes[choice] : random();
}

template <std::size_t words> std::array<u64, words> any_number(std::mt19937_64& random) {
  std::array<u64, words> result{};
  for (u64& word : result)
    word = any_word(random);
  return result;
}

template <std::size_t words> std::array<u64, words> filled(u64 word) {
  std::array<u64, words> result{};
  result.fill(word);
  return result;
}

template <std::size_t words> std::array<u64, words> one() {
  std::array<u64, words> result{};
  result.back() = 1;
  return result;
}

// Calls body(integral_constant) for every number of words from `least` on.
template <int least, int... offsets, typename Body>
void for_words(std::integer_sequence<int, offsets...>, const Body& body) {
  (body(std::integral_constant<int, least + offsets>()), ...);
}
template <int least, int most, typename Body> void for_words(const Body& body) {
  for_words<least>(std::make_integer_sequence<int, most - least + 1>(), body);
}

template <int words, int factor_words> std::uint64_t wrong_products(int rounds) {
  std::mt19937_64 random(words * 100 + factor_words);
  std::uint64_t wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    auto x = any_number<words>(random);
    auto y = any_number<words>(random);
    auto z = any_number<factor_words>(random);
    if (round < 8) { // carries as large as they can be
      x = round % 2 == 0 ? filled<words>(~u64(0)) : one<words>();
      y = round / 2 % 2 == 0 ? filled<words>(~u64(0)) : one<words>();
      z = round / 4 % 2 == 0 ? filled<factor_words>(~u64(0)) : one<factor_words>();
    }
    const Number expected = sum(number(x), product(number(y), number(z), 4 * words));
    Product<words, factor_words>::add(x.data(), y.data(), z.data());
    wrong += number(x) != expected;
  }
  return wrong;
}

// Every second number of words of the factor: compiling takes longest. It has fewer words than the sum,
// as many, or more.
template <int words> void check_products() {
  for_words<0, 3>([](auto half) {
    constexpr int factor_words = 2 * half + 2 - words % 2;
    INFO(words, " words by ", factor_words);
    CHECK(wrong_products<words, factor_words>(1000) == 0);
  });
}

} // namespace

TEST_CASE("multiword: sums, with carries through all words") {
  for_words<2, 8>([](auto constant) {
    constexpr int words = constant;
    INFO(words, " words");
    auto ones = filled<words>(~u64(0));
    Kernel<words>::add(ones.data(), one<words>().data());
    CHECK(ones == filled<words>(0));
    ones = filled<words>(~u64(0));
    const auto all = ones;
    Kernel<words>::add(ones.data(), all.data());
    auto all_but_one = all;
    --all_but_one.back();
    CHECK(ones == all_but_one);
    std::mt19937_64 random(words);
    std::uint64_t wrong = 0;
    for (std::uint64_t round = 0; round < trials; ++round) {
      auto x = any_number<words>(random);
      const auto y = any_number<words>(random);
      const Number expected = sum(number(x), number(y));
      Kernel<words>::add(x.data(), y.data());
      wrong += number(x) != expected;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("multiword: products that are added, of two numbers of words") {
  for_words<2, 8>([](auto constant) { check_products<constant>(); });
  CHECK(wrong_products<16, 1>(500) == 0);
  CHECK(wrong_products<16, 8>(500) == 0);
}

TEST_CASE("multiword: quotients without a rest") {
  for_words<1, 8>([](auto constant) {
    constexpr int words = constant;
    INFO(words, " words");
    std::mt19937_64 random(words);
    std::uint64_t wrong = 0;
    int longest = 0;
    for (std::uint64_t round = 0; round < trials; ++round) {
      const u32 factor = round % 3 == 0 ? ~u32(0) - static_cast<u32>(random() % 3)
                                        : static_cast<u32>(random() >> (32 + random() % 32));
      const u32 divisor =
          round % 5 == 0 ? ~u32(0) - static_cast<u32>(random() % 3) : 1 + static_cast<u32>(random() % 13);
      // x = quotient·divisor, and x·factor just fits into the words.
      auto quotient = round % 7 == 0 ? filled<words>(~u64(0)) : any_number<words>(random);
      Number digits = number(quotient);
      Number wide;
      for (;;) {
        wide = product(product(digits, small(divisor), 4 * words + 8), small(factor), 4 * words + 8);
        const int excess = bit_length(wide) - 64 * words;
        if (excess <= 0)
          break;
        for (int bit = 0; bit < excess; ++bit) // halve
          for (std::size_t i = 0; i < digits.size(); ++i)
            digits[i] = digits[i] >> 1 | (i + 1 < digits.size() ? (digits[i + 1] & 1) << 15 : 0);
      }
      longest = std::max(longest, bit_length(wide));
      auto x = words_of<words>(product(digits, small(divisor), 4 * words));
      const Number expected = product(digits, small(factor), 4 * words);
      Kernel<words>::scale(x.data(), factor, divisor);
      wrong += number(x) != expected;
    }
    CHECK(wrong == 0);
    CHECK(longest == 64 * words);
  });
}

TEST_CASE("multiword: the binomials of a domain's number") {
  for_words<1, 8>([](auto constant) {
    constexpr int words = constant;
    INFO(words, " words");
    std::mt19937_64 random(words);
    std::uint64_t wrong = 0;
    std::uint64_t zeros = 0;
    int last = 0;
    for (int round = 0; round < 2000; ++round) {
      u32 k = static_cast<u32>(random() % ((u64(1) << 26) + 1)) >> (random() % 27);
      if (round < 64)
        k = round < 32 ? static_cast<u32>(round) : (u32(1) << 26) - static_cast<u32>(round - 32);
      auto binomial = one<words>();
      Number falling = small(1); // k·(k − 1)·…
      Number factorial = small(1);
      for (u32 j = 0; j < 13; ++j) { // C(k, 12) is used, C(k, 13) computed
        falling = product(falling, small(k < j ? 0 : k - j), 28);
        factorial = product(factorial, small(j + 1), 28);
        // C(k, j)·(k − j) must fit; what it is, is known without a division: C(k, j + 1)·(j + 1)! = k·…·(k −
        // j).
        const Number wide = product(number(binomial), small(k < j ? 0 : k - j), 4 * words + 4);
        if (bit_length(wide) > 64 * words)
          break;
        Kernel<words>::scale(binomial.data(), k - j, j + 1);
        wrong += product(number(binomial), factorial, 28) != falling;
        zeros += k <= j && bit_length(number(binomial)) == 0;
        if (k > 1 << 25)
          last = std::max(last, static_cast<int>(j) + 1);
      }
    }
    CHECK(wrong == 0);
    CHECK(zeros > 100);
    // Factors have 26 bits.
    CHECK(last == std::min(13, words == 1 ? 2 : words == 2 ? 5 : words == 3 ? 8 : words == 4 ? 11 : 13));
  });
}

TEST_CASE("multiword: windows of 64 bits, bit by bit") {
  std::mt19937_64 random(64);
  std::uint64_t wrong = 0;
  for (u32 offset = 0; offset < 64; ++offset)
    for (int round = 0; round < 200; ++round) {
      const auto x = any_number<2>(random);
      u64 expected = 0;
      for (u32 bit = 0; bit < 64; ++bit) {
        const u32 from = offset + bit; // place after the binary point
        expected = expected << 1 | (x[from / 64] >> (63 - from % 64) & 1);
      }
      wrong += window_of(x.data(), offset) != expected;
    }
  CHECK(wrong == 0);
}
