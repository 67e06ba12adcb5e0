// Which arguments have been searched: a set of integers, kept as intervals. The integers are ranks of arguments, or
// what else a search is counted in.
#pragma once

#include "tmd/integer.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tmd::job {

// A set of 128-bit integers, as the fewest half-open intervals.
class Coverage {
public:
  struct Interval {
    int128 first;
    int128 last; // one past the end

    friend bool operator==(const Interval&, const Interval&) = default;
  };

  Coverage() = default;
  // first … last − 1.
  Coverage(int128 first, int128 last) { add(first, last); }

  // Adds first … last − 1. Throws SoundnessError when one of them is in the set already: nothing may count twice.
  void add(int128 first, int128 last);
  void add(const Coverage& other);

  // What `whole` has and this set has not. Throws SoundnessError when this set has what `whole` has not.
  [[nodiscard]] Coverage complement_in(const Coverage& whole) const;

  // What both sets have.
  [[nodiscard]] Coverage intersection(const Coverage& other) const;
  // What the set has of first … last − 1, in increasing order.
  [[nodiscard]] std::vector<Interval> within(int128 first, int128 last) const;

  // The integers number index … index + count − 1 of the set, in increasing order, as far as it has them.
  [[nodiscard]] Coverage slice(uint128 index, uint128 count) const;

  // Integers in the set.
  [[nodiscard]] uint128 size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool contains(int128 value) const;
  // In increasing order, with gaps between them.
  [[nodiscard]] std::vector<Interval> intervals() const;

  friend bool operator==(const Coverage& left, const Coverage& right) { return left.intervals_ == right.intervals_; }

private:
  std::map<int128, int128> intervals_; // first, last
  uint128 size_ = 0;
};

// "[1, 5) and [7, 9)"; of many intervals the first few.
[[nodiscard]] std::string to_string(const Coverage& coverage);

} // namespace tmd::job
