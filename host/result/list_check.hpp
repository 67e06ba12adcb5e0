// Checks a list of cases from any source, entry by entry and against a complete list.
#pragma once

#include "job/job.hpp"
#include "job/stretch.hpp"
#include "result/case_list.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tmd::result {

struct Mistake {
  enum class Kind { missing, superfluous, misclassed, unusable };
  Kind kind = Kind::misclassed;
  std::size_t line = 0; // of the list; 0 for a missing case
  std::string x;
  std::string sentence;
};

// "missing", "superfluous", "misclassed", "unusable".
[[nodiscard]] std::string_view to_string(Mistake::Kind kind);

// An argument of a list, inside the job's range, as MPFR judges it.
struct JudgedArgument {
  std::size_t line = 0;
  Case found; // at any distance
};

struct JudgedList {
  std::vector<JudgedArgument> arguments; // each once
  std::vector<job::RankInterval> ranges; // ranges of the list that have no entries
  std::size_t outside = 0;               // entries outside the range, or of another function
  std::vector<Mistake> mistakes;         // ordered by line
};

// Judges every entry in the range by MPFR; the job's range is its hull. Unusable entries are no number of the job's
// format, have no value, or are duplicates; misclassed ones have another kind, breakpoint or number of bits than the
// list says; superfluous ones are no case for the job's K, nor for the smaller K that the list may have, which includes
// values that overflow or vanish. Exact and undecided cases are never superfluous.
[[nodiscard]] JudgedList judge_list(const CaseList& list, const job::Job& job, const job::Coverage& range);

// The cases of one binade of arguments.
struct BinadeCheck {
  bool negative = false;
  int exponent = 0;
  std::size_t cases = 0; // in the complete list
  std::size_t missing = 0;
  double complete_from = 0; // K or more: the list has every case with more bits
};

struct Completeness {
  std::vector<BinadeCheck> binades;
  std::vector<Mistake> missing;      // hardest first; not in a range of the list either
  std::vector<JudgedArgument> extra; // cases of the list that the complete one lacks, even in its ranges
};

// The number of mistakes of a kind.
[[nodiscard]] std::size_t count(const std::vector<Mistake>& mistakes, Mistake::Kind kind);

// Compares two lists judged by judge_list() for the job.
[[nodiscard]] Completeness compare_lists(const JudgedList& list, const JudgedList& complete, const job::Job& job);

} // namespace tmd::result
