// Somebody's list of pairs: every entry by MPFR and Arb, and against what a search has found.
#pragma once

#include "pairs/pair_job.hpp"
#include "result/list_check.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tmd::pairs {

// A pair of a list, as MPFR finds it.
struct JudgedPair {
  std::size_t line = 0;
  Operands operands;
  std::optional<Case> found; // a case for the job's K, or exact
};

struct JudgedPairs {
  std::vector<JudgedPair> pairs;         // those that have a value to be computed
  std::size_t prescribed = 0;            // entries whose value C23 prescribes
  std::vector<result::Mistake> mistakes; // by line
};

// Unusable is what is no pair of the format's numbers, or stands there twice; superfluous what is no case for the job's
// K. Exact values are never superfluous.
[[nodiscard]] JudgedPairs judge_pairs(const std::vector<result::ListedPair>& list, const PairJob& job);

// What a search has found and the list has not, nor a pair with the same entry, hardest first. Throws SoundnessError
// where the list has a case that the search has not.
[[nodiscard]] std::vector<result::Mistake> missing_pairs(const JudgedPairs& list, const PairJob& job,
                                                         const PairResult& found);

// The pair that a list has for this one.
[[nodiscard]] Operands entry_of(const PairJob& job, const Operands& operands);

} // namespace tmd::pairs
