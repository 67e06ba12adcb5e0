// The records of a search of a function of two variables (doc/reference/records.md), read by who believes nothing in
// them.
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
  result::Program program; // that has made them
  PairJob job;
  std::vector<Entry> entries;
  std::vector<PairFamily> families;
  std::size_t cases = 0; // by the summary
  std::string part;      // "part 1 of 4", or what it is of; empty: whole
};

// Throws UsageError, with the number of the line, where it cannot be read, and where its end is missing.
[[nodiscard]] RecordedPairs read_pairs(const result::ResultText& text);

// What is wrong with entries, each by itself: by MPFR and Arb, and by what an entry stands for.
[[nodiscard]] std::vector<Objection> check_entries(const RecordedPairs& file, unsigned threads);
// That the hardest come first, none twice, and all that were written.
[[nodiscard]] std::vector<Objection> check_order(const RecordedPairs& file);
// How the entries that `looked_at` is true of differ from what was found there.
[[nodiscard]] std::vector<Objection> compare_cases(const RecordedPairs& file, const std::vector<PairCase>& found,
                                                   const std::function<bool(const Operands&)>& looked_at);

} // namespace tmd::pairs
