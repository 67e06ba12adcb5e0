// The arguments that have been searched: a set of integers, kept as intervals. The integers are ranks of arguments, or
// places of a claim's coordinate.
#pragma once

#include "tmd/integer.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tmd::job {

// A set of 128-bit integers, kept as the fewest half-open intervals.
class Coverage {
public:
  struct Interval {
    int128 first;
    int128 last; // one past the end

    friend bool operator==(const Interval&, const Interval&) = default;
  };

  Coverage() = default;
  // The set of first … last − 1.
  Coverage(int128 first, int128 last) { add(first, last); }

  // Adds first … last − 1. Throws SoundnessError if one of them is in the set already: nothing may count twice.
  void add(int128 first, int128 last);
  void add(const Coverage& other);

  // The members of `whole` that this set does not have. Throws SoundnessError if this set is no subset of `whole`.
  [[nodiscard]] Coverage complement_in(const Coverage& whole) const;

  // The members of both sets.
  [[nodiscard]] Coverage intersection(const Coverage& other) const;
  // The members among first … last − 1, as intervals in increasing order.
  [[nodiscard]] std::vector<Interval> within(int128 first, int128 last) const;

  // The members number index … index + count − 1, counted from the least one, as far as there are so many.
  [[nodiscard]] Coverage slice(uint128 index, uint128 count) const;

  // The number of members.
  [[nodiscard]] uint128 size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool contains(int128 value) const;
  // The intervals in increasing order, with gaps between them.
  [[nodiscard]] std::vector<Interval> intervals() const;

  friend bool operator==(const Coverage& left, const Coverage& right) { return left.intervals_ == right.intervals_; }

private:
  std::map<int128, int128> intervals_; // first → last
  uint128 size_ = 0;
};

// The text "[1, 5) and [7, 9)"; of many intervals only the first few.
[[nodiscard]] std::string to_string(const Coverage& coverage);

} // namespace tmd::job
