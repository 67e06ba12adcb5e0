// Classes of pairs that have the same answer: pairs with one ratio, for atan2, and pairs that differ by a common power
// of two, for hypot.
#pragma once

#include "pairs/pair_job.hpp"

#include <cstdint>
#include <tuple>

namespace tmd::pairs {

// The ratio ±(y/x)·2^exponent for coprime odd integers x, y; x < 0 where `left`.
struct Ratio {
  bool left = false;
  std::uint64_t y = 1;
  std::uint64_t x = 1;
  int exponent = 0;

  friend bool operator==(const Ratio&, const Ratio&) = default;
  friend bool operator<(const Ratio& one, const Ratio& other) {
    return std::tie(one.left, one.y, one.x, one.exponent) < std::tie(other.left, other.y, other.x, other.exponent);
  }
};

// (y/x)·2^exponent in lowest terms; y and x are not 0.
[[nodiscard]] Ratio ratio_of(bool left, std::uint64_t y, std::uint64_t x, int exponent);
[[nodiscard]] double value_of(const Ratio& ratio);
// The number of pairs of the format with this ratio and y > 0, including subnormal numbers.
[[nodiscard]] uint128 pairs_of(const Ratio& ratio, const Format& format);
// One of these pairs, with x in [1, 2) or as near as the format allows; there must be one.
[[nodiscard]] Operands operands_of(const Ratio& ratio, const Format& format);
// Whether the ratio is in atan2's family if it is a case: a quotient of p bits below 2^-(p + 1).
[[nodiscard]] bool is_in_family(const PairJob& job, const Ratio& ratio);

// x·2^d and y, up to a common power of two, with significands x and y of p bits; y ≤ x if d is 0. It stands for the
// pairs whose value is neither subnormal nor overflows: their breakpoints scale with them.
struct Legs {
  std::uint64_t x = 1;
  std::uint64_t y = 1;
  int d = 0;
};

// Whether the value of x·2^unit, y·2^unit is a subnormal number; such a pair does not belong to the class.
[[nodiscard]] bool is_subnormal(const Legs& legs, int unit, const Format& format);
// Requires x ≥ y.
[[nodiscard]] uint128 pairs_of(const Legs& legs, const Format& format);
// One of these pairs, not the greatest unless it is the only one, with y in [1, 2) or as near as the format allows;
// there must be one.
[[nodiscard]] Operands operands_of(const Legs& legs, const Format& format);
[[nodiscard]] Operands greatest_operands_of(const Legs& legs, const Format& format);

} // namespace tmd::pairs
