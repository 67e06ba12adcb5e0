// The existence tests in every build on words of 64 bits, random and adversarial: as existence.cpp.
#include "sanitized/existence_variants.hpp"
#include "sanitized/small_word.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace {

// clang-format off
namespace bits_64 {
using word = u64;
#define TMD_WORD_BITS 64
#include "sanitized/existence_variants.hpp"
#undef TMD_WORD_BITS
} // namespace bits_64
// The test whose answers those with lengths in double must equal.
namespace bits_52 {
using word = tmd::SmallWord<52>;
#define TMD_WORD_BITS 52
#define TMD_DIVISION 1
#define TMD_LOGMS 3
#include "sanitized/existence_variants.hpp"
#undef TMD_LOGMS
#undef TMD_DIVISION
#undef TMD_WORD_BITS
} // namespace bits_52
// clang-format on

using Word52 = tmd::SmallWord<52>;

__extension__ using u128 = unsigned __int128;

struct Question {
  u64 a, b, threshold, size;

  [[nodiscard]] bool has_hit() const {
    u64 value = b;
    for (u64 x = 0; x < size; ++x, value -= a)
      if (value < threshold)
        return true;
    return false;
  }
  // The same input with the bound on either side enlarged by `error`.
  [[nodiscard]] Question widened(u64 error) const { return {a, b + error, threshold + 2 * error, size}; }
  // The greatest change of (b − a·x) mod 1 when a and b are rounded to 52 bits: length_rounding of the planner.
  [[nodiscard]] u64 rounding_to_52() const { return (size + 1) << 11; }
};

struct Tally {
  u64 wrong = 0;
  u64 differing = 0;
  u64 present = 0;
  u64 absent = 0;
  u64 noticed = 0;
};

// Slopes on which a continued fraction goes wrong, if it does: vanishing lengths, huge partial quotients
// early, late and in between, all of them 1 (the golden ratio), and neighbours of all these.
std::vector<u64> adversarial_slopes(std::mt19937_64& random) {
  constexpr u64 golden = 0x9e3779b97f4a7c15;
  std::vector<u64> slopes{0, golden, golden >> 1, ~u64(0) / 3, ~u64(0) / 5 * 2, ~u64(0) / 1023, ~u64(0) / 1025};
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

class Examination {
public:
  // tame: whether subtraction alone ends; it takes as many steps as the quotients add up to.
  void ask(const Question& question, bool tame) {
    const bool exists = question.has_hit();
    const Question wide = question.widened(question.rounding_to_52());
    const bool near = wide.widened(question.rounding_to_52()).has_hit();
    std::array<std::array<int, 2>, families> expected{{{-1, -1}, {-1, -1}, {-1, -1}}}; // by family, by length
    const auto rounded = [](u64 x) { return Word52((x >> 12) + (x >> 11 & 1)); };
    const Word52 threshold(((wide.threshold - 1) >> 12) + 1);
    const auto of_52_bits = [](Word52 x) { return static_cast<u64>(x) << 12; };
    const Question short_words{of_52_bits(rounded(wide.a)), of_52_bits(rounded(wide.b)), of_52_bits(threshold),
                               wide.size};
    expected[static_cast<unsigned>(Family::lefevre)] = {exists ? 1 : 0, short_words.has_hit() ? 1 : 0};
    for (const Variant<Word52>& variant : variants<Word52>()) {
      const int answer = variant.may_exist(rounded(wide.a), rounded(wide.b), threshold, Word52(wide.size)) != 0 ? 1 : 0;
      int& family = expected[static_cast<unsigned>(variant.family())][1];
      REQUIRE((family < 0 || family == answer));
      family = answer;
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Variant<u64>& variant = all_[i];
      if (!tame && variant.subtracts_only(64))
        continue;
      const Question& asked = variant.in_doubles() ? wide : question;
      const int answer = variant.may_exist(asked.a, asked.b, asked.threshold, asked.size) != 0 ? 1 : 0;
      int& same = expected[static_cast<unsigned>(variant.family())][variant.in_doubles() ? 1 : 0];
      if (same < 0)
        same = answer;
      Tally& tally = tallies_[i];
      tally.wrong += exists && answer == 0;
      tally.differing += answer != same;
      tally.present += exists;
      if (!(variant.in_doubles() ? near : exists)) {
        ++tally.absent;
        tally.noticed += answer == 0;
      }
    }
  }

  void check() const {
    REQUIRE(all_.size() == 51);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      INFO(all_[i].name());
      const Tally& tally = tallies_[i];
      CHECK(tally.wrong == 0);
      CHECK(tally.differing == 0);
      CHECK(tally.present > 300);
      CHECK(tally.absent > 300);
      CHECK(2 * tally.noticed > tally.absent);
    }
  }

private:
  const std::vector<Variant<u64>>& all_ = variants<u64>();
  std::vector<Tally> tallies_ = std::vector<Tally>(all_.size());
};

} // namespace

TEST_CASE("existence: words of 64 bits, adversarial and random inputs") {
  std::mt19937_64 random(20240501);
  std::vector<u64> slopes = adversarial_slopes(random);
  const std::size_t adversarial = slopes.size();
  for (int i = 0; i < 1500; ++i)
    slopes.push_back(random());
  Examination examination;
  for (std::size_t slope = 0; slope < slopes.size(); ++slope) {
    const u64 a = slopes[slope];
    for (const u64 size : {u64(2), u64(3), u64(8), u64(13), u64(64), u64(1000), u64(1024)}) {
      for (int i = 0; i < 9; ++i) {
        // Thresholds from those of searches, where hits are rare, down to a single unit.
        const u64 rarity = 1 + random() % (i % 4 == 0 ? 60 : 16);
        const u64 threshold = std::max<u64>(1, (random() >> rarity) / size);
        u64 b = random();
        if (i % 3 == 0) // the hardest to see: only just below the threshold, at one x, first and last included
          b = a * (i == 0 ? 0 : i == 6 ? size - 1 : random() % size) + threshold - 1;
        else if (i % 3 == 1) // the threshold itself is no hit
          b = a * (random() % size) + threshold;
        examination.ask({a, b, threshold, size}, slope >= adversarial && a >> 50 != 0);
      }
    }
  }
  examination.check();
}

// Domains have up to 2^24 arguments, beyond which counts in float are inexact.
TEST_CASE("existence: words of 64 bits, large domains") {
  std::mt19937_64 random(5);
  std::vector<u64> slopes{0, 1, 3, 0x9e3779b97f4a7c15, ~u64(0) / 3, (u64(1) << 40) + 5, ~u64(0) / 4099};
  const std::size_t adversarial = slopes.size();
  while (slopes.size() < 14)
    slopes.push_back(random());
  Examination examination;
  for (std::size_t slope = 0; slope < slopes.size(); ++slope)
    for (const u64 size : {(u64(1) << 14) - 1, u64(1) << 15})
      for (int i = 0; i < 90; ++i) {
        const u64 a = slopes[slope];
        const u64 threshold = std::max<u64>(1, (random() >> (1 + i % 16)) / size);
        const u64 b = i % 2 == 0 ? random() : a * (random() % size) + threshold - (i % 4 == 1 ? 1 : 0);
        examination.ask({a, b, threshold, size}, slope >= adversarial && a >> 50 != 0);
      }
  examination.check();
  // One x of 2^24 is a hit, possibly the last.
  for (int slope = 0; slope < 4; ++slope) {
    const u64 a = slope == 0 ? 0x9e3779b97f4a7c15 : random();
    for (const u64 size : {(u64(1) << 24) - 1, u64(1) << 24})
      for (int i = 0; i < 20; ++i) {
        const u64 threshold = std::max<u64>(1, (random() >> (4 + i)) / size);
        const u64 x = i == 0 ? size - 1 : random() % size;
        const Question question{a, a * x + threshold - 1, threshold, size};
        const Question wide = question.widened(question.rounding_to_52());
        std::size_t wrong = 0;
        for (const Variant<u64>& variant : variants<u64>()) {
          const Question& asked = variant.in_doubles() ? wide : question;
          wrong += variant.may_exist(asked.a, asked.b, asked.threshold, asked.size) == 0;
        }
        CHECK(wrong == 0);
      }
  }
}
