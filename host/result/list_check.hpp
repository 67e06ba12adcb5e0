// Somebody's list of cases, looked at entry by entry and against a complete one.
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
  std::size_t line = 0; // of the list; 0 where it is missing there
  std::string x;
  std::string sentence;
};

// "missing", "superfluous", "misclassed", "unusable".
[[nodiscard]] std::string_view to_string(Mistake::Kind kind);

// An argument of a list, inside the job's range, as MPFR finds it.
struct JudgedArgument {
  std::size_t line = 0;
  Case found; // of any distance
};

struct JudgedList {
  std::vector<JudgedArgument> arguments; // each once
  std::vector<job::RankInterval> ranges; // of the list's that have no entries
  std::size_t outside = 0;               // of the range, or of another function
  std::vector<Mistake> mistakes;         // by line
};

// Asks MPFR for every entry of the range, of which the job's is the hull. Unusable is what is no number of the job's
// format or has no value, or stands there twice; misclassed what has another kind, breakpoint or number of bits than
// the list says; superfluous what is no case for the job's K, nor for the lesser one that the list may be of: also what
// overflows, or comes to 0. Exact cases and undecided ones are never superfluous.
[[nodiscard]] JudgedList judge_list(const CaseList& list, const job::Job& job, const job::Coverage& range);

// The K-bit cases of one binade of arguments.
struct BinadeCheck {
  bool negative = false;
  int exponent = 0;
  std::size_t cases = 0; // of the complete list
  std::size_t missing = 0;
  double complete_from = 0; // every case of more bits is listed; at least K
};

struct Completeness {
  std::vector<BinadeCheck> binades;
  std::vector<Mistake> missing;      // hardest first; in no range of the list either
  std::vector<JudgedArgument> extra; // K-bit cases of the list that the complete one has not, nor a range with them
};

// How many mistakes are of a kind.
[[nodiscard]] std::size_t count(const std::vector<Mistake>& mistakes, Mistake::Kind kind);

// Both lists as judge_list() has judged them for the job.
[[nodiscard]] Completeness compare_lists(const JudgedList& list, const JudgedList& complete, const job::Job& job);

} // namespace tmd::result
