// Sets of integers: counting twice is noticed.
#include "host/job/coverage.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tmd::job {

namespace {

using Intervals = std::vector<Coverage::Interval>;

std::set<int> members(const Coverage& coverage) {
  std::set<int> all;
  for (const auto& [first, last] : coverage.intervals())
    for (int128 value = first; value < last; ++value)
      all.insert(static_cast<int>(value));
  return all;
}

} // namespace

TEST_CASE("coverage: neighbours join, whatever their order") {
  for (const bool forwards : {true, false}) {
    Coverage coverage;
    CHECK(coverage.empty());
    CHECK(coverage.intervals().empty());
    coverage.add(forwards ? 1 : 7, forwards ? 5 : 9);
    coverage.add(forwards ? 7 : 1, forwards ? 9 : 5);
    CHECK(coverage.intervals() == Intervals{{1, 5}, {7, 9}});
    CHECK(coverage.size() == 6);
    coverage.add(9, 12); // joins the interval before it
    coverage.add(-3, 1); // joins the interval behind it
    CHECK(coverage.intervals() == Intervals{{-3, 5}, {7, 12}});
    coverage.add(5, 7); // joins the intervals on both sides
    CHECK(coverage.intervals() == Intervals{{-3, 12}});
    CHECK(coverage == Coverage(-3, 12));
    CHECK(coverage.size() == 15);
    coverage.add(4, 4); // an empty interval changes nothing
    coverage.add(6, 4);
    CHECK(coverage == Coverage(-3, 12));
  }
}

TEST_CASE("coverage: what is there already is not added, and nothing is changed") {
  Coverage coverage(10, 20);
  coverage.add(30, 40);
  const Coverage before = coverage;
  for (const auto& [first, last] :
       {std::pair(10, 20), {10, 11}, {19, 20}, {12, 13}, {5, 11}, {19, 30}, {19, 31}, {5, 45}, {25, 31}, {39, 50}}) {
    CAPTURE(first);
    CHECK_THROWS_AS(coverage.add(first, last), SoundnessError);
    CHECK(coverage == before);
    CHECK(coverage.size() == 20);
  }
  Coverage other(20, 30);
  coverage.add(other);
  CHECK(coverage == Coverage(10, 40));
  CHECK_THROWS_AS(coverage.add(other), SoundnessError);
}

TEST_CASE("coverage: what is left of a whole") {
  const Coverage whole(-10, 10);
  CHECK(Coverage().complement_in(whole) == whole);
  CHECK(whole.complement_in(whole).empty());
  CHECK(Coverage().complement_in(Coverage()).empty());
  Coverage some(-10, -7);
  some.add(0, 1);
  some.add(9, 10);
  CHECK(some.complement_in(whole).intervals() == Intervals{{-7, 0}, {1, 9}});
  CHECK(some.complement_in(whole).complement_in(whole) == some);
  for (const Coverage& outside : {Coverage(-11, -9), Coverage(9, 11), Coverage(10, 11), Coverage(-20, 20)}) {
    CHECK_THROWS_AS((void)outside.complement_in(whole), SoundnessError);
    CHECK_THROWS_AS((void)outside.complement_in(Coverage()), SoundnessError);
  }
  // The gaps of a whole that has several intervals.
  CHECK_THROWS_AS((void)Coverage(-5, -3).complement_in(some), SoundnessError);
  CHECK_THROWS_AS((void)Coverage(0, 2).complement_in(some), SoundnessError);
  CHECK_THROWS_AS((void)whole.complement_in(some), SoundnessError);
}

TEST_CASE("coverage: what it contains, and how it is told") {
  Coverage coverage(1, 5);
  coverage.add(7, 9);
  for (int value = -2; value < 12; ++value)
    CHECK(coverage.contains(value) == ((value >= 1 && value < 5) || value == 7 || value == 8));
  CHECK_FALSE(Coverage().contains(0));
  CHECK(to_string(coverage) == "[1, 5) and [7, 9)");
  CHECK(to_string(Coverage()) == "nothing");
  for (int first = 20; first < 60; first += 10)
    coverage.add(first, first + 1);
  CHECK(to_string(coverage) == "[1, 5) and [7, 9) and [20, 21) and [30, 31) and 2 more");
  // Ranks of the widest formats.
  const int128 far = int128(1) << 90;
  const Coverage wide(-far, far);
  CHECK(wide.size() == uint128(1) << 91);
  CHECK(wide.contains(far - 1));
  CHECK_FALSE(wide.contains(far));
  CHECK(Coverage(-far, 0).complement_in(wide) == Coverage(0, far));
}

TEST_CASE("coverage: random intervals, against a set of integers") {
  std::mt19937_64 random(17);
  for (int round = 0; round < 200; ++round) {
    Coverage coverage;
    std::set<int> expected;
    std::size_t wrong = 0;
    std::size_t refused = 0;
    for (int i = 0; i < 60; ++i) {
      const int first = static_cast<int>(random() % 200) - 100;
      const int last = first + static_cast<int>(random() % 9);
      bool twice = false;
      for (int value = first; value < last; ++value)
        twice = twice || expected.contains(value);
      try {
        coverage.add(first, last);
        wrong += twice;
        for (int value = first; value < last; ++value)
          expected.insert(value);
      } catch (const SoundnessError&) {
        wrong += !twice;
        ++refused;
      }
    }
    CHECK(wrong == 0);
    CHECK(refused > 0);
    CHECK(members(coverage) == expected);
    CHECK(coverage.size() == expected.size());
    const auto intervals = coverage.intervals();
    for (std::size_t i = 1; i < intervals.size(); ++i)
      CHECK(intervals[i - 1].last < intervals[i].first); // there are gaps between them
    const Coverage whole(-110, 120);
    const Coverage rest = coverage.complement_in(whole);
    for (int value = -110; value < 120; ++value)
      CHECK(rest.contains(value) != expected.contains(value));
    Coverage all = coverage;
    all.add(rest);
    CHECK(all == whole);
    // In any order the result is the same set.
    std::vector<int> shuffled(expected.begin(), expected.end());
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    Coverage one_by_one;
    for (const int value : shuffled)
      one_by_one.add(value, value + 1);
    CHECK(one_by_one == coverage);
  }
}

TEST_CASE("coverage: what two sets share") {
  Coverage left(0, 10);
  left.add(20, 30);
  left.add(40, 41);
  Coverage right(5, 25);
  right.add(28, 50);
  Coverage both(5, 10);
  both.add(20, 25);
  both.add(28, 30);
  both.add(40, 41);
  CHECK(left.intersection(right) == both);
  CHECK(right.intersection(left) == both);
  CHECK(left.intersection(left) == left);
  CHECK(left.intersection({}).empty());
}

} // namespace tmd::job
