// Searches of functions of two variables, complete: by breakpoints where few pairs can be near one (atan2, atan2pi,
// hypot, rootn), or pair by pair in formats of 16 bits, and for pown. The proofs are in doc/theory/two-variables.md.
#pragma once

#include "pairs/pair_job.hpp"

namespace tmd::pairs {

// Chooses the method and searches. Throws UsageError, before anything takes time, if there is no method for the job.
[[nodiscard]] PairResult search_pairs(const PairJob& job, unsigned threads);

// The methods. Each throws UsageError for jobs that it does not serve.

// Searches every pair, for a format with at most 2^16 positive numbers and any function whose operands are both
// numbers.
[[nodiscard]] bool serves_every_pair(const PairJob& job);
[[nodiscard]] PairResult search_every_pair(const PairJob& job, unsigned threads);

// atan2 and atan2pi: for each breakpoint z, finds all fractions near tan z or tan πz.
[[nodiscard]] PairResult search_angles(const PairJob& job, unsigned threads);

// hypot: for each x and each breakpoint z that y can reach, tests the integers next to √(z² − x²).
[[nodiscard]] PairResult search_hypotenuses(const PairJob& job, unsigned threads);

// pown and rootn, with all integers: computes the powers of each number, or of each breakpoint.
[[nodiscard]] PairResult search_integer_powers(const PairJob& job, unsigned threads);

// The least K for which the methods of atan2 and hypot serve a format.
[[nodiscard]] constexpr int least_bits_by_breakpoints(const Format& format) { return format.precision + 3; }
inline constexpr int most_precision_by_breakpoints = 27;

} // namespace tmd::pairs
