// Stretches: arguments of one binade, before anything is known of their values.
#pragma once

#include "format/argument.hpp"
#include "number/arb.hpp"

#include <vector>

namespace tmd::job {

// Consecutive arguments of one binade of a format, or of its subnormal numbers: equally spaced.
struct Stretch {
  bool negative;     // the arguments' sign
  int unit_exponent; // log2 of their spacing h
  uint128 first;     // significand of the argument nearest to zero: ±first·h, ±(first + 1)·h, …
  uint128 count;     // number of arguments

  [[nodiscard]] Argument argument(uint128 index) const { return {negative, first + index, unit_exponent}; }
  // That of opposite sign.
  [[nodiscard]] Stretch mirrored() const { return {!negative, unit_exponent, first, count}; }
};

// Converts significands of a stretch's arguments to the arguments, exactly.
void to_arguments(arb_ptr ball, const Stretch& stretch);

// The stretches of the ranks first … last − 1: the negative ones in increasing |x|, zero by itself, then the positive
// ones.
[[nodiscard]] std::vector<Stretch> stretches(const format::ArgumentSet& arguments, format::ArgumentSet::Rank first,
                                             format::ArgumentSet::Rank last);

// The parts of a stretch before and behind `run`.
[[nodiscard]] std::vector<Stretch> without(const Stretch& stretch, const Stretch& run);

// The ranks first … last − 1.
struct RankInterval {
  format::ArgumentSet::Rank first = 0;
  format::ArgumentSet::Rank last = 0;

  friend bool operator==(const RankInterval&, const RankInterval&) = default;
};

// The ranks of the stretch's arguments with the indices first … first + count − 1.
[[nodiscard]] RankInterval ranks_of(const format::ArgumentSet& arguments, const Stretch& stretch, uint128 first,
                                    uint128 count);

} // namespace tmd::job
