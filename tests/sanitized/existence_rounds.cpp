// The rounds that the existence tests report (TMD_COUNT_ROUNDS), against Euclid's algorithm and each other.
#define TMD_COUNT_ROUNDS
#include "sanitized/existence_variants.hpp"
#include "sanitized/small_word.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace {

// clang-format off
namespace bits_8 {
using word = tmd::SmallWord<8>;
#define TMD_WORD_BITS 8
#include "sanitized/existence_variants.hpp"
#undef TMD_WORD_BITS
} // namespace bits_8
namespace bits_64 {
using word = u64;
#define TMD_WORD_BITS 64
#define TMD_DIVISION 1
#include "sanitized/existence_variants.hpp"
#undef TMD_DIVISION
#undef TMD_WORD_BITS
} // namespace bits_64
// clang-format on

__extension__ using u128 = unsigned __int128;

// The number of quotients of a and 1 − a until `size` points are placed or a length vanishes.
u32 quotients(u64 a, u128 whole, u64 size) {
  u128 reduced = whole - a;
  u128 other = a;
  u128 reduced_count = 1; // grows with the quotient
  u128 other_count = 1;
  u32 count = 0;
  while (a != 0) {
    reduced_count += reduced / other * other_count;
    reduced %= other;
    ++count;
    if (reduced == 0 || reduced_count + other_count >= size)
      break;
    std::swap(reduced, other);
    std::swap(reduced_count, other_count);
  }
  return count;
}

// Sums over all inputs, for tests that must take fewer rounds on the whole.
struct Sums {
  u64 wrong = 0;
  std::array<u64, 5> by_algorithm{};
};

template <typename Word> void count(u64 a, u64 b, u64 threshold, u64 size, int word_bits, Sums& sums) {
  u32 plain = 0;
  std::array<u32, 5> rounds{}; // by algorithm, LOGMS 3
  for (const Variant<Word>& variant : variants<Word>())
    if (variant.division == 1 && variant.logms == 3) {
      u32& of_native = rounds[static_cast<unsigned>(variant.algorithm)];
      variant.may_exist(a, b, threshold, size, &of_native);
      sums.by_algorithm[static_cast<unsigned>(variant.algorithm)] += of_native;
    }
  plain = rounds[3];
  sums.wrong += rounds[1] != (quotients(a, u128(1) << word_bits, size) + 1) / 2;
  sums.wrong += a != 0 && rounds[2] != rounds[1];
  sums.wrong += rounds[4] > plain;
  for (const Variant<Word>& variant : variants<Word>()) {
    if (a == 0) // lengths in double come to the same answer a little later then
      continue;
    u32 more = 1000; // the count is added to this
    variant.may_exist(a, b, threshold, size, &more);
    more -= 1000;
    const u32 of_native = rounds[static_cast<unsigned>(variant.algorithm)];
    if (variant.logms == 3)
      sums.wrong += more < of_native || more > of_native + (variant.in_doubles() ? 1 : 0);
    else if (variant.family() != Family::papers)
      sums.wrong += more != of_native;
    else if (variant.logms == word_bits)
      sums.wrong += more != plain; // without specific instructions
    else
      sums.wrong += more > plain;
  }
}

} // namespace

TEST_CASE("rounds: words of 8 bits") {
  Sums sums;
  for (u64 a = 0; a < 256; ++a)
    for (u64 b = 0; b < 256; b += 3)
      for (const u64 size : {2, 3, 5, 16, 40, 100, 255})
        for (const u64 threshold : {1, 5})
          count<tmd::SmallWord<8>>(a, b, threshold, size, 8, sums);
  CHECK(sums.wrong == 0);
  CHECK(sums.by_algorithm[4] < sums.by_algorithm[3]);
  CHECK(sums.by_algorithm[1] > 0);
}

TEST_CASE("rounds: words of 64 bits") {
  std::mt19937_64 random(3);
  Sums sums;
  for (int i = 0; i < 20000; ++i) {
    const u64 a = random() >> (i % 3 == 0 ? random() % 20 : 0); // a small slope, a large first quotient
    count<u64>(a, random(), random() >> 40, u64(1) << (1 + random() % 15), 64, sums);
  }
  CHECK(sums.wrong == 0);
  CHECK(4 * sums.by_algorithm[4] < 3 * sums.by_algorithm[3]);
}
