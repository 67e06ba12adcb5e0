// A finished search as its file tells of it, line by line, for those who trust nothing in it.
#pragma once

#include "function/function.hpp"
#include "job/regimes.hpp"
#include "job/stretch.hpp"
#include "request/resolve.hpp"
#include "result/journal.hpp"
#include "result/records.hpp"
#include "result/search_result.hpp"
#include "support/text_source.hpp"
#include "verify/confirm.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// An entry, and what the file says of it.
struct FoundEntry {
  std::size_t line = 0; // counted from 1
  Argument x;
  Case::Kind kind = Case::Kind::hard;
  std::optional<double> bits;           // of records of hard cases
  std::optional<Breakpoint> breakpoint; // of records
};

struct RegimeEntry {
  std::size_t line = 0;
  RegimeRange range;
};

// Not searched: left out, a gap between merged parts, or what an interrupted search had left.
struct LeftOutEntry {
  std::size_t line = 0;
  RankInterval ranks;
};

// How many there are of what, as the file says.
struct StatedCounts {
  std::size_t line = 0;
  uint128 arguments = 0; // covered
  uint128 cases = 0;
  uint128 exact = 0;
  uint128 exact_listed = 0;         // of these, that are named one by one
  std::optional<uint128> undecided; // of a summary record, like all that follows
  std::optional<uint128> cases_in_ranges;
  std::optional<uint128> none_in_ranges;
  std::optional<uint128> left_out; // with gaps
  bool partial = false;
  std::optional<double> seconds; // elapsed
};

// What is wrong with a line by itself, or with the whole file (line 0).
struct LineMistake {
  std::size_t line = 0;
  std::string sentence;
};

struct ResultFile {
  enum class Kind { records, list, journal };
  Kind kind = Kind::records;
  Program program;                     // that has found it, or begun to
  std::vector<Program> other_programs; // which have found some of it
  std::string command;
  bool is_merged = false;             // of several searches: then nothing says what was asked for
  std::optional<SearchRequest> asked; // resolved, not cut; nothing where the file does not say it, or it means nothing
  std::string not_asked;              // why
  bool is_by_argument = false;        // as it was asked for; else the hardest cases come first in a list
  OwnedJob owned;                     // that of the records' parts; of a list, that of `asked`, cut as the list says
  std::string said;                   // what the file says of its job: the record's `job`, or a list's first line
  std::optional<Symmetry> symmetry;   // of records
  std::optional<Json> scaling;        // of records
  std::optional<Shard> shard;
  std::vector<std::string> devices; // their names, where they are known
  std::set<std::string> methods;    // by which it was searched, where they are known
  std::vector<FoundEntry> found;    // in the order of the file
  bool has_all_exact = true;        // else it names the first of them, or none
  std::vector<RegimeEntry> regimes;
  std::vector<LeftOutEntry> left_out;
  Coverage in_ranges; // ranks that the two name
  std::optional<StatedCounts> stated;
  std::vector<LineMistake> mistakes;

  [[nodiscard]] const Job& job() const { return owned.job; }
  [[nodiscard]] std::size_t count(Case::Kind wanted) const;
  // Whether all exact cases are in it.
  [[nodiscard]] bool lists_exact() const { return has_all_exact; }
};

// Whether a text has records of a search. A driver's words may stand before them.
[[nodiscard]] bool has_records(const TextSource& text);

// Reads JSON Lines of `tmd search --json`, or a .wc file of `tmd search --wc` by the comments that stand in it. `name`
// stands in messages. Lines that are damaged, or contradict themselves, are mistakes of the file. Throws UsageError for
// what is no result at all: where no record, or no comment, says what was searched.
[[nodiscard]] ResultFile parse_result(const TextSource& text, std::string_view name);

// What was found, as entries of a file that says their bits to four decimals.
[[nodiscard]] std::vector<FoundEntry> entries_of(const Findings& found);

// The same as parse_result() of a journal, whose parts have been compared already.
[[nodiscard]] ResultFile result_of(const JournalContents& journal);

// What the search would have left, as far as the file says: in its fields there are only methods.
[[nodiscard]] SearchResult to_search_result(const ResultFile& file);

} // namespace tmd
