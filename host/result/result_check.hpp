// A result file against what can be computed without a search: what it says of itself, its counts, every entry and
// every range.
#pragma once

#include "result/recorded_search.hpp"
#include "tmd/result.hpp"
#include "verify/confirm.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::result {

// The job that the file says it is of against that of its parts, and that of its command.
[[nodiscard]] std::vector<Objection> check_header(const RecordedSearch& file);

// The counts that the file states against its own entries and the size of the range.
[[nodiscard]] std::vector<Objection> check_counts(const RecordedSearch& file);

// Records of a search, or its journal, that are in order, by themselves and in their counts. use: as of read_search().
// Throws UsageError for what is something else, and for the first thing that is wrong.
[[nodiscard]] RecordedSearch read_sound_search(const ResultText& text, const EntrySink& use = {});

// What MPFR and Arb say of the entries, each by itself.
struct CheckedEntries {
  std::vector<Objection> objections;
  std::size_t entries = 0; // that were looked at
  std::size_t wrong_by_mpfr = 0;
  std::size_t wrong_by_arb = 0;
  std::size_t open_by_arb = 0; // that Arb could not decide
  std::vector<Case> cases;     // the hard cases among the entries, each once, as MPFR finds them
};

enum class Judges { mpfr_and_arb, mpfr };

// Every entry by itself, in up to `threads` threads: whether it is a K-bit case of the job's range and outside the
// file's ranges, its kind, its breakpoint and its bits to four decimals. By MPFR alone the cases are not kept.
[[nodiscard]] CheckedEntries check_entries(const RecordedSearch& file, unsigned threads,
                                           Judges judges = Judges::mpfr_and_arb);

// Whether any entry is there twice, or not in its place: cases hardest first, others by argument.
// cases: those of check_entries().
[[nodiscard]] std::vector<Objection> check_order(const RecordedSearch& file, const std::vector<Case>& cases);

struct CheckedRanges {
  std::vector<Objection> objections;
  std::size_t ranges = 0;
  std::size_t samples = 0; // arguments that MPFR was asked for
};

enum class RegimeProof { again, left_out };

// The file's regimes: proven again, unless that is left out, and MPFR at their ends, at `samples` arguments in each and
// at their neighbours.
[[nodiscard]] CheckedRanges check_regimes(const RecordedSearch& file, std::size_t samples,
                                          RegimeProof proof = RegimeProof::again);

} // namespace tmd::result
