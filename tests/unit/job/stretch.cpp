// From ranges of ranks to stretches, and back.
#include "host/job/stretch.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <utility>

namespace tmd::job {

TEST_CASE("stretches hold every argument of a range once") {
  for (const int precision : {3, 11, 12}) {
    const format::ArgumentSet set(find_format("binary16"), precision);
    const int128 binade = int128(1) << (precision - 1);
    std::mt19937_64 random(5);
    for (int i = 0; i < 60; ++i) {
      // Ends at, before and after changes of binade, and anywhere.
      const auto end = static_cast<std::uint64_t>(set.end());
      int128 first = i % 2 == 0 ? binade * static_cast<int>(random() % 20) + static_cast<int>(random() % 3) - 1
                                : static_cast<int128>(random() % end);
      first = std::max<int128>(first, 1);
      int128 last = first + static_cast<int128>(random() % static_cast<std::uint64_t>(4 * binade)) + 1;
      const bool negative = i % 3 == 0;
      const auto parts = negative ? stretches(set, 1 - last, 1 - first) : stretches(set, first, last);
      int128 rank = first;
      std::size_t wrong = 0;
      for (const Stretch& part : parts) {
        CHECK(part.negative == negative);
        for (uint128 j = 0; j < part.count; ++j, ++rank)
          wrong += compare({negative, part.first + j, part.unit_exponent}, set.at(negative ? -rank : rank)) != 0;
        // Arguments of a stretch are equally spaced: they have one exponent, or are subnormal.
        wrong += bit_length(part.first) != bit_length(part.first + part.count - 1) &&
                 part.unit_exponent != -14 - precision + 1;
      }
      CHECK(rank == last);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("stretches: both signs, zero by itself, and the ranks of every part of them") {
  for (const int precision : {2, 3, 7}) {
    const format::ArgumentSet set(find_format("binary16"), precision);
    std::mt19937_64 random(7);
    const auto end = static_cast<std::uint64_t>(set.end());
    for (int i = 0; i < 200; ++i) {
      int128 first = static_cast<int128>(random() % (2 * end)) - set.end();
      int128 last = static_cast<int128>(random() % (2 * end)) - set.end();
      if (i == 0) { // all the numbers that there are
        first = 1 - set.end();
        last = set.end();
      } else if (i < 10) { // the stretch next to zero
        first = i % 3 - 2;
        last = i / 3;
      }
      if (first > last)
        std::swap(first, last);
      std::map<int128, int> seen;
      std::size_t wrong = 0;
      for (const Stretch& stretch : stretches(set, first, last)) {
        CHECK(stretch.count > 0);
        for (uint128 index = 0; index < stretch.count; ++index) {
          const Argument x = stretch.argument(index);
          const RankInterval rank = ranks_of(set, stretch, index, 1);
          ++seen[rank.first];
          wrong += rank.last != rank.first + 1 || compare(set.at(rank.first), x) != 0;
          wrong += x.significand != 0 && set.rank(x) != rank.first;
        }
        wrong += stretch.first == 0 && (stretch.negative || stretch.count != 1);
        const uint128 from = random() % static_cast<std::uint64_t>(stretch.count);
        const uint128 count = 1 + random() % static_cast<std::uint64_t>(stretch.count - from);
        const RankInterval ranks = ranks_of(set, stretch, from, count);
        const RankInterval nearest = ranks_of(set, stretch, from, 1);
        const RankInterval farthest = ranks_of(set, stretch, from + count - 1, 1);
        wrong += ranks.first != std::min(nearest.first, farthest.first);
        wrong += ranks.last != std::max(nearest.last, farthest.last);
        wrong += ranks.last - ranks.first != static_cast<int128>(count);
      }
      CHECK(wrong == 0);
      CHECK(seen.size() == static_cast<std::size_t>(last - first));
      CHECK((seen.empty() || (seen.begin()->first == first && seen.rbegin()->first == last - 1)));
      CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& times) { return times.second == 1; }));
    }
  }
}

TEST_CASE("stretches: their order, and subnormal numbers") {
  const format::ArgumentSet set(find_format("binary64"), 53);
  const int128 binade = int128(1) << 52;
  const auto parts = stretches(set, -binade - 5, binade + 3);
  REQUIRE(parts.size() == 5);
  // The negative stretches from zero outwards: subnormal numbers, then the first normal ones.
  CHECK(parts[0].negative);
  CHECK(parts[0].first == 1);
  CHECK(parts[0].unit_exponent == -1074);
  CHECK(parts[0].count == static_cast<uint128>(binade - 1));
  CHECK(ranks_of(set, parts[0], 0, parts[0].count) == RankInterval{1 - binade, 0});
  CHECK(parts[1].negative);
  CHECK(parts[1].count == 6);
  CHECK(ranks_of(set, parts[1], 0, 6) == RankInterval{-binade - 5, 1 - binade});
  CHECK(ranks_of(set, parts[1], 1, 2) == RankInterval{-binade - 2, -binade});
  CHECK_FALSE(parts[2].negative);
  CHECK(parts[2].first == 0);
  CHECK(parts[2].count == 1);
  CHECK(ranks_of(set, parts[2], 0, 1) == RankInterval{0, 1});
  CHECK(ranks_of(set, parts[3], 0, parts[3].count) == RankInterval{1, binade});
  CHECK(parts[4].first == static_cast<uint128>(binade));
  CHECK(parts[4].unit_exponent == -1074);
  CHECK(ranks_of(set, parts[4], 1, 2) == RankInterval{binade + 1, binade + 3});
  CHECK(stretches(set, 5, 5).empty());
  CHECK(stretches(set, 0, 1).size() == 1);
  // Ranks beyond 64 bits occur in binary80's last binade with one bit more.
  const format::ArgumentSet wide(find_format("binary80"), 65);
  const auto last = stretches(wide, wide.end() - 7, wide.end());
  REQUIRE(last.size() == 1);
  CHECK(ranks_of(wide, last[0], 0, 7) == RankInterval{wide.end() - 7, wide.end()});
  CHECK(ranks_of(wide, stretches(wide, 1 - wide.end(), 8 - wide.end()).at(0), 0, 7) ==
        RankInterval{1 - wide.end(), 8 - wide.end()});
}

} // namespace tmd::job
