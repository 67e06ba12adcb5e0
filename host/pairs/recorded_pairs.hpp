// Reads and checks the records of a search of a function of two variables (doc/reference/records.md), trusting nothing
// in them.
#pragma once

#include "pairs/pair_job.hpp"
#include "result/program.hpp"
#include "result/reader.hpp"
#include "tmd/result.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tmd::pairs {

struct RecordedPairs {
  struct Entry {
    std::size_t line = 0;
    PairCase said;
  };
  result::Program program; // the program that made them
  PairJob job;
  std::vector<Entry> entries;
  std::vector<Entry> undecided; // without a case
  std::vector<PairFamily> families;
  std::size_t cases = 0; // number of cases by the summary
  std::string part;      // "part 1 of 4", the part of the job; empty for the whole job
};

// Throws UsageError, with the line's number, if it cannot be read or its end is missing.
[[nodiscard]] RecordedPairs read_pairs(const result::ResultText& text);

// Mistakes in single entries, found by MPFR and Arb and by what an entry stands for; and undecided pairs that are
// decided.
[[nodiscard]] std::vector<Objection> check_entries(const RecordedPairs& file, unsigned threads);
// Checks that the hardest cases come first, that none is there twice, and that none is missing.
[[nodiscard]] std::vector<Objection> check_order(const RecordedPairs& file);
// The differences between the entries for which `looked_at` is true and the cases found there.
[[nodiscard]] std::vector<Objection> compare_cases(const RecordedPairs& file, const std::vector<PairCase>& found,
                                                   const std::function<bool(const Operands&)>& looked_at);

} // namespace tmd::pairs
