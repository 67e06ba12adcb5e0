// The existence tests, from the kernels' own text, in every build: "no" is never wrong, whatever the input, and
// Lefèvre's says it wherever it is right.
// Here every input of small words; words of 64 bits are in existence_64.cpp.
#include "sanitized/existence_variants.hpp"
#include "sanitized/small_word.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace {

// clang-format off
namespace bits_5 {
using word = tmd::SmallWord<5>;
#define TMD_WORD_BITS 5
#include "sanitized/existence_variants.hpp"
#undef TMD_WORD_BITS
} // namespace bits_5
namespace bits_6 {
using word = tmd::SmallWord<6>;
#define TMD_WORD_BITS 6
#include "sanitized/existence_variants.hpp"
#undef TMD_WORD_BITS
} // namespace bits_6
namespace bits_7 {
using word = tmd::SmallWord<7>;
#define TMD_WORD_BITS 7
#include "sanitized/existence_variants.hpp"
#undef TMD_WORD_BITS
} // namespace bits_7
namespace bits_8 {
using word = tmd::SmallWord<8>;
#define TMD_WORD_BITS 8
#include "sanitized/existence_variants.hpp"
#undef TMD_WORD_BITS
} // namespace bits_8
// clang-format on

struct Tally {
  u64 wrong = 0;     // "no" where there is a hit; for an exact test also "maybe" where there is none
  u64 differing = 0; // from the first variant of the family
  u64 present = 0;
  u64 absent = 0;  // inputs as in searches (less than a quarter is hit), without a hit
  u64 noticed = 0; // of those, the number answered "no"
};

// The builds that are tested: the native build of each algorithm, and every stride-th of the others in turn; none of
// them for 0.
struct Turns {
  std::size_t stride;
};
constexpr Turns everyone{1};
constexpr Turns native_only{0};

template <int bits> class Examination {
public:
  using Word = tmd::SmallWord<bits>;

  // exists: whether there is a hit, which is known.
  void ask(Word a, Word b, Word threshold, Word size, bool exists, Turns turns) {
    std::array<int, families> first{-1, -1, -1};
    ++turn_;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Variant<Word>& variant = all_[i];
      if ((variant.division != 1 || variant.logms != 3) && (turns.stride == 0 || (i + turn_) % turns.stride != 0))
        continue;
      const int answer = variant.may_exist(a, b, threshold, size) != 0 ? 1 : 0;
      int& expected = first[static_cast<unsigned>(variant.family())];
      if (expected < 0)
        expected = answer;
      Tally& tally = tallies_[i];
      tally.wrong += (exists && answer == 0) || (variant.family() == Family::lefevre && !exists && answer != 0);
      tally.differing += answer != expected;
      tally.present += exists;
      if (!exists && threshold < Word(Word::size - 1) / size / Word(4)) {
        ++tally.absent;
        tally.noticed += answer == 0;
      }
    }
  }

  void check() const {
    REQUIRE(all_.size() == 51);
    std::array<u64, families> noticed{};
    std::array<u64, families> absent{};
    for (std::size_t i = 0; i < all_.size(); ++i) {
      INFO(all_[i].name());
      const Tally& tally = tallies_[i];
      CHECK(tally.wrong == 0);
      CHECK(tally.differing == 0);
      CHECK(tally.present > 1000);
      CHECK(tally.absent > 1000);
      // A test that always says "maybe" would be sound, and useless.
      CHECK(2 * tally.noticed > tally.absent);
      if (all_[i].division == 1 && all_[i].logms == 3) {
        noticed[static_cast<unsigned>(all_[i].family())] = tally.noticed;
        absent[static_cast<unsigned>(all_[i].family())] = tally.absent;
      }
    }
    REQUIRE(absent[0] > 0);
    CHECK(noticed[1] == absent[1]);
    // The papers' forms of Lefèvre's test place fewer points than the regular test.
    CHECK(double(noticed[2]) / double(absent[2]) > double(noticed[0]) / double(absent[0]));
  }

private:
  const std::vector<Variant<Word>>& all_ = variants<Word>();
  std::vector<Tally> tallies_ = std::vector<Tally>(all_.size());
  std::size_t turn_ = 0;
};

struct Density {
  Turns telling; // builds asked at the decisive thresholds: the least; the greatest with "no", the least without
  bool others;   // whether all other thresholds are tried …
  Turns asked;   // … and by which builds
  u64 stride;    // of the sizes beyond 24, every stride-th is tried
};

// Every a and b of a word of `bits` bits, and the sizes, against min over x < size of (b − a·x) mod 1. A test
// sees its threshold in comparisons with d only, and says "no" the less the greater it is (that is tried on
// every threshold of the shortest words): its hardest threshold is the least with a hit.
template <int bits> void exhaust(const Density& density) {
  using Word = tmd::SmallWord<bits>;
  Examination<bits> examination;
  for (u64 a = 0; a < Word::size; ++a) {
    for (u64 b = 0; b < Word::size; ++b) {
      u64 least = b;
      for (u64 size = 2; size < Word::size; ++size) {
        least = std::min(least, (b - a * (size - 1)) & (Word::size - 1));
        if (size > 24 && size % density.stride != 0 && size + 1 != Word::size)
          continue;
        const auto at = [&](u64 threshold, Turns turns) {
          if (threshold > 0 && threshold < Word::size)
            examination.ask(a, b, threshold, size, least < threshold, turns);
        };
        at(1, density.telling);
        at(least, density.telling);
        at(least + 1, density.telling);
        for (u64 threshold = 1; density.others && threshold < Word::size; ++threshold)
          at(threshold, density.asked);
      }
    }
  }
  examination.check();
}

} // namespace

TEST_CASE("existence: words of 5 bits, every build on every input") { exhaust<5>({everyone, true, everyone, 1}); }
TEST_CASE("existence: words of 6 bits, every algorithm on every input") {
  exhaust<6>({Turns{5}, true, native_only, 1});
}
TEST_CASE("existence: words of 7 bits, every a, b and size") { exhaust<7>({Turns{31}, false, native_only, 1}); }
TEST_CASE("existence: words of 8 bits, every a and b, many sizes") { exhaust<8>({Turns{31}, false, native_only, 29}); }
