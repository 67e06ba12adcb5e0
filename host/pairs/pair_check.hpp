// Checks a list of pairs from any source: every entry by MPFR and Arb, and against what a search has found.
#pragma once

#include "pairs/pair_job.hpp"
#include "result/list_check.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tmd::pairs {

// A pair of a list, as MPFR and Arb judge it.
struct JudgedPair {
  std::size_t line = 0;
  Operands operands;
  std::optional<Case> found; // a case for the job's K, or an exact case
};

struct JudgedPairs {
  std::vector<JudgedPair> pairs;         // those whose value must be computed
  std::size_t prescribed = 0;            // entries whose value C23 prescribes, or outside the ranges
  std::vector<result::Mistake> mistakes; // by line
};

// Unusable entries are no pair of the format's numbers, or duplicates; superfluous entries are no case for the job's K.
// Exact values are never superfluous.
[[nodiscard]] JudgedPairs judge_pairs(const std::vector<result::ListedPair>& list, const PairJob& job);

// Cases that a search has found and the list lacks, unless it has a pair with the same entry; hardest first. Throws
// SoundnessError if the list has a case that the search has not found.
[[nodiscard]] std::vector<result::Mistake> missing_pairs(const JudgedPairs& list, const PairJob& job,
                                                         const PairResult& found);

// Whether the breakpoint nearest to the value is the number near which all values of the family lie.
[[nodiscard]] bool is_in_family(const PairJob& job, const Operands& operands);

// The pair that stands for this one in a list.
[[nodiscard]] Operands entry_of(const PairJob& job, const Operands& operands);

} // namespace tmd::pairs
