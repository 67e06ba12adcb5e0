// The number of cases beside the number expected by chance, where pairs are a fair sample.
#pragma once

#include "pairs/pair_job.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::pairs {

struct PairCount {
  std::string cell; // "n from 2^22 on, below 2^23"
  std::uint64_t cases = 0;
  double expected = 0; // 2·N·2^−K
  double p = 1;        // the exact two-sided p-value, by a Poisson distribution
};

inline constexpr std::string_view all_cells = "all cells";

// The counts of a function's cells, and of all cells together, the least p first. cases: all that a search of the whole
// format has found. Empty for hypot: its cases are few, and none of chance.
//
// A cell of atan2 and atan2pi is a binade of y/x, with one sign of x: (8/π²)·2^(2p−2) ratios, the share of pairs whose
// odd parts are coprime. Ratios so large or small that values in a binade have few breakpoints are in none. A cell of
// compoundn is a binade of x, of one sign, whose numbers have at least 2^p values with integers n > 0 each; values
// whose binary logarithm is below 1/16 are in none, for next to 1 distances are multiples. A cell of the others is a
// binade of |y| or |n|, with one sign of it, where at least one case is expected and more than a few x matter. |n| is
// at least the number of binades: else x and 2^k·x have the same case. A value near 1 has few breakpoints between it
// and 1, at the m-th of which log x is m spacings/y; the numbers x near there are counted by their density.
[[nodiscard]] std::vector<PairCount> count_pairs(const PairJob& job, const std::vector<PairCase>& cases);

} // namespace tmd::pairs
