// The existence tests, from the kernels' own text: "no" is never wrong, whatever the input. Every input of
// small words; random and adversarial inputs of 64 bits.
#include "sanitized/small_word.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace {

// The kernels' text as templates over the word, so that one inclusion serves every width. To add an algorithm
// or a division: include the pieces once more in a namespace of its own, and list it in algorithms() below.
#define PURE template <typename word> inline
#define TMD_WORD_BITS 64

#define TMD_ALGORITHM 1
namespace regular_logms_0 {
#define TMD_LOGMS 0
#include "cl_kernels/division.clh"
#include "cl_kernels/existence.clh"
#undef TMD_LOGMS
} // namespace regular_logms_0
namespace regular_logms_1 {
#define TMD_LOGMS 1
#include "cl_kernels/division.clh"
#include "cl_kernels/existence.clh"
#undef TMD_LOGMS
} // namespace regular_logms_1
namespace regular_logms_3 {
#define TMD_LOGMS 3
#include "cl_kernels/division.clh"
#include "cl_kernels/existence.clh"
#undef TMD_LOGMS
} // namespace regular_logms_3
namespace regular_logms_64 {
#define TMD_LOGMS 64
#include "cl_kernels/division.clh"
#include "cl_kernels/existence.clh"
#undef TMD_LOGMS
} // namespace regular_logms_64
#undef TMD_ALGORITHM

template <typename Word> struct Variant {
  std::string_view name;
  int (*may_exist)(Word a, Word b, Word threshold, Word count);
  bool subtracts_only = false; // hopelessly slow where a quotient is large
};

// Builds of one algorithm: they differ in how they divide, so they must agree on every answer.
template <typename Word> struct Algorithm {
  std::string_view name;
  std::vector<Variant<Word>> variants;
};

template <typename Word> std::vector<Algorithm<Word>> algorithms() {
  return {{"regular",
           {{"LOGMS 0", regular_logms_0::may_exist<Word>},
            {"LOGMS 1", regular_logms_1::may_exist<Word>},
            {"LOGMS 3", regular_logms_3::may_exist<Word>},
            {"LOGMS 64", regular_logms_64::may_exist<Word>, true}}}};
}

struct Tally {
  std::uint64_t wrong = 0;     // "no" where there is one
  std::uint64_t differing = 0; // between the variants of an algorithm
  std::uint64_t absent = 0;  // inputs as searches have them (less than a quarter is hit) where there is none
  std::uint64_t noticed = 0; // of those, answered "no"

  void check(std::string_view algorithm) const {
    INFO("algorithm ", algorithm);
    CHECK(wrong == 0);
    CHECK(differing == 0);
    // A test that always says "maybe" would be sound, and useless.
    CHECK(2 * noticed > absent);
  }
};

enum class Compare { nothing, dividing, all }; // the first variant with which others

template <typename Word>
void ask(const Algorithm<Word>& algorithm, Word a, Word b, Word threshold, Word count, bool exists,
         Compare compare, Tally& tally) {
  const int answer = algorithm.variants.front().may_exist(a, b, threshold, count);
  tally.wrong += exists && answer == 0;
  if (!exists && threshold < (Word(0) - Word(1)) / count / Word(4)) {
    ++tally.absent;
    tally.noticed += answer == 0;
  }
  if (compare == Compare::nothing)
    return;
  for (const Variant<Word>& variant : algorithm.variants)
    if (compare == Compare::all || !variant.subtracts_only)
      tally.differing += (variant.may_exist(a, b, threshold, count) != 0) != (answer != 0);
}

// Every a and b of a word of `bits` bits, and every count (beyond 32 every stride-th), against min over x <
// count of (b − a·x) mod 1. Thresholds: the least one that must be answered "maybe", the smallest, as
// searches have them; or all.
template <int bits> void exhaust(bool every_threshold, std::uint32_t stride) {
  using Word = tmd::SmallWord<bits>;
  for (const Algorithm<Word>& algorithm : algorithms<Word>()) {
    Tally tally;
    for (std::uint32_t a = 0; a < Word::size; ++a) {
      for (std::uint32_t b = 0; b < Word::size; ++b) {
        std::uint32_t least = Word::size;
        for (std::uint32_t count = 1; count < Word::size; ++count) {
          least = std::min(least, (b - a * (count - 1)) & (Word::size - 1));
          if (count > 32 && count % stride != 0 && count + 1 != Word::size)
            continue;
          const auto at = [&](std::uint32_t threshold, Compare compare) {
            ask<Word>(algorithm, a, b, threshold, count, least < threshold, compare, tally);
          };
          at(1, Compare::all);
          at(std::min(least + 1, Word::size - 1), Compare::all);
          for (std::uint32_t threshold = 0; every_threshold && threshold < Word::size; ++threshold)
            at(threshold, Compare::nothing);
        }
      }
    }
    tally.check(algorithm.name);
  }
}

} // namespace

TEST_CASE("existence: words of 6 bits, every input") {
  exhaust<6>(true, 1);
}
TEST_CASE("existence: words of 7 bits, every a, b, count") {
  exhaust<7>(false, 1);
}
TEST_CASE("existence: words of 8 bits, every a, b, many counts") {
  exhaust<8>(false, 7);
}

namespace {

using u64 = std::uint64_t;
__extension__ using u128 = unsigned __int128;

bool brute_force(u64 a, u64 b, u64 threshold, u64 count) {
  for (u64 x = 0; x < count; ++x, b -= a)
    if (b < threshold)
      return true;
  return false;
}

// Slopes on which a continued fraction goes wrong, if it does: vanishing lengths, huge partial quotients
// early, late and in between, all of them 1 (the golden ratio), and neighbours of all these.
std::vector<u64> adversarial_slopes(std::mt19937_64& random) {
  constexpr u64 golden = 0x9e3779b97f4a7c15;
  std::vector<u64> slopes{
      0, golden, golden >> 1, ~u64(0) / 3, ~u64(0) / 5 * 2, ~u64(0) / 1023, ~u64(0) / 1025};
  for (int shift = 0; shift < 64; ++shift)
    slopes.push_back(u64(1) << shift);
  for (u64 denominator = 2; denominator < 40; ++denominator)
    slopes.push_back(~u64(0) / denominator * (1 + random() % denominator));
  for (int i = 0; i < 60; ++i) { // near P/Q at every distance
    const u64 denominator = 2 + random() % 5000;
    const u64 fraction = static_cast<u64>((u128(random() % denominator) << 64) / denominator);
    slopes.push_back(fraction + (u64(1) << (random() % 60)));
  }
  const std::size_t known = slopes.size();
  for (std::size_t i = 0; i < known; ++i)
    for (const u64 offset : {u64(1), ~u64(0), random() >> (random() % 64), -(random() >> (random() % 64))})
      slopes.push_back(slopes[i] + offset);
  return slopes;
}

} // namespace

TEST_CASE("existence: words of 64 bits, adversarial and random inputs") {
  std::mt19937_64 random(20240501);
  std::vector<u64> slopes = adversarial_slopes(random);
  const std::size_t adversarial = slopes.size();
  for (int i = 0; i < 300; ++i)
    slopes.push_back(random());
  for (const Algorithm<u64>& algorithm : algorithms<u64>()) {
    Tally tally;
    u64 present = 0;
    for (std::size_t slope = 0; slope < slopes.size(); ++slope) {
      const u64 a = slopes[slope];
      for (const u64 count : {u64(2), u64(3), u64(8), u64(13), u64(64), u64(1000), u64(1024)}) {
        for (int i = 0; i < 12; ++i) {
          // From as rare as a search has it to a single unit.
          const u64 rarity = 1 + random() % (i % 4 == 0 ? 60 : 16);
          const u64 threshold = std::max<u64>(1, (random() >> rarity) / count);
          u64 b = random();
          if (i % 3 ==
              0) // the hardest to see: only just below the threshold, at one x, first and last included
            b = a * (i == 0 ? 0 : i == 6 ? count - 1 : random() % count) + threshold - 1;
          else if (i % 3 == 1) // the threshold itself is no hit
            b = a * (random() % count) + threshold;
          const bool exists = brute_force(a, b, threshold, count);
          present += exists;
          // Subtraction alone takes as many steps as the quotients add up to: not with those of the
          // adversary.
          const bool tame = slope >= adversarial && a >> 50 != 0;
          ask<u64>(algorithm, a, b, threshold, count, exists, tame ? Compare::all : Compare::dividing, tally);
        }
      }
    }
    CHECK(present > 1000);
    tally.check(algorithm.name);
  }
}
