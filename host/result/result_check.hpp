// Checks a result file without searching: its description of itself, its counts, every entry and every range.
#pragma once

#include "result/recorded_search.hpp"
#include "tmd/result.hpp"
#include "verify/confirm.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::result {

// Compares the job that the file names with that of its parts, and with that of its command.
[[nodiscard]] std::vector<Objection> check_header(const RecordedSearch& file);

// Compares the stated counts with the entries and the size of the range.
[[nodiscard]] std::vector<Objection> check_counts(const RecordedSearch& file);

// Reads records of a search, or its journal, and checks them one by one and by their counts. use: as in read_search().
// Throws UsageError for other files, and for the first mistake.
[[nodiscard]] RecordedSearch read_sound_search(const ResultText& text, const EntrySink& use = {});

// The judgement of MPFR and Arb on each entry.
struct CheckedEntries {
  std::vector<Objection> objections;
  std::size_t entries = 0; // entries checked
  std::size_t wrong_by_mpfr = 0;
  std::size_t wrong_by_arb = 0;
  std::size_t open_by_arb = 0; // entries that Arb could not decide
  std::vector<Case> cases;     // hard cases among the entries, each once, as MPFR finds them
};

enum class Judges { mpfr_and_arb, mpfr };

// Checks every entry by itself, in up to `threads` threads: whether it is a case of the job's range and outside the
// file's ranges, its kind, its breakpoint, and its bits to four decimals. With MPFR alone the cases are not kept.
[[nodiscard]] CheckedEntries check_entries(const RecordedSearch& file, unsigned threads,
                                           Judges judges = Judges::mpfr_and_arb);

// Finds entries that are duplicates or out of order: cases hardest first, others by argument. cases: those of
// check_entries().
[[nodiscard]] std::vector<Objection> check_order(const RecordedSearch& file, const std::vector<Case>& cases);

struct CheckedRanges {
  std::vector<Objection> objections;
  std::size_t ranges = 0;
  std::size_t samples = 0; // arguments that MPFR was asked about
};

enum class RegimeProof { again, left_out };

// Checks the file's regimes: proves them again, unless that is left out, and asks MPFR at their ends, at `samples`
// arguments in each, and at their neighbours.
[[nodiscard]] CheckedRanges check_regimes(const RecordedSearch& file, std::size_t samples,
                                          RegimeProof proof = RegimeProof::again);

} // namespace tmd::result
