// A search as its file tells of it, for those who trust nothing in it: one type and one reader for JSON Lines, .wc
// lists, journals and published pages. The reader goes through a file line by line. Of most of a file there is little,
// and RecordedSearch has it; entries there may be millions of, so that they can be handed on one by one instead of
// being kept.
#pragma once

#include "engine/stage.hpp"
#include "job/regimes.hpp"
#include "job/stretch.hpp"
#include "request/resolve.hpp"
#include "result/journal.hpp"
#include "result/reader.hpp"
#include "result/records.hpp"
#include "result/search_result.hpp"
#include "verify/confirm.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::result {

// An entry, and what the file says of it.
struct FoundEntry {
  std::size_t line = 0; // counted from 1
  Argument x;
  Case::Kind kind = Case::Kind::hard;
  std::optional<double> bits;           // of records of hard cases
  std::optional<Breakpoint> breakpoint; // of records

  friend bool operator==(const FoundEntry&, const FoundEntry&) = default;
};

// What a search has found there, as far as the entry says it.
[[nodiscard]] Case case_of(const FoundEntry& entry);

// Where a reader leaves the entries, one after the other in the order of the file.
using EntrySink = std::function<void(const FoundEntry&)>;

struct RegimeEntry {
  std::size_t line = 0;
  job::RegimeRange range;
};

// Not searched: left out, a gap between merged parts, or what an interrupted search had left.
struct LeftOutEntry {
  std::size_t line = 0;
  job::RankInterval ranks;

  [[nodiscard]] uint128 size() const { return static_cast<uint128>(ranks.last - ranks.first); }
};

// Counts of entries, whether they are kept or not.
struct EntryCounts {
  std::size_t hard = 0;
  std::size_t exact = 0;
  std::size_t undecided = 0;
  std::map<std::string, FoundEntry, std::less<>> hardest; // of records: the first of the most bits, by breakpoint

  void add(Case::Kind kind);
  void add(const FoundEntry& entry);
};

// What the end of a file says: how many there are of what, and what the search took.
struct Summary {
  std::size_t line = 0;
  uint128 arguments = 0; // covered
  uint128 cases = 0;
  uint128 exact = 0;
  uint128 exact_listed = 0;         // of these, that are named one by one
  std::optional<uint128> undecided; // of a summary record, like all that follows
  std::optional<uint128> cases_in_ranges;
  std::optional<uint128> none_in_ranges;
  std::optional<uint128> exact_in_ranges;
  std::optional<uint128> left_out; // with gaps
  bool partial = false;
  double seconds = 0;          // elapsed, without the start of the program; 0 where it is not told
  double planning_seconds = 0; // of the host, likewise
  engine::Stages stages;       // of the engines that this program has; seconds of the device
  engine::Idle idle;           // none where it is not told

  // Of whose values nothing was known beforehand.
  [[nodiscard]] uint128 searched() const {
    return arguments - cases_in_ranges.value_or(0) - none_in_ranges.value_or(0);
  }
};

// What is wrong with a line by itself, or with the whole file (line 0).
struct LineMistake {
  std::size_t line = 0;
  std::string sentence;
};

struct RecordedSearch {
  FileKind kind = FileKind::records;
  // How it was made.
  Program program;                     // that has found it, or begun to
  std::vector<Program> other_programs; // which have found some of it
  std::string command;
  bool is_merged = false;    // of several searches: then nothing says what was asked for
  bool is_published = false; // a list or records beside a page: likewise
  std::optional<request::SearchRequest>
      asked;                        // resolved, not cut; nothing where the file does not say it, or it means nothing
  std::string not_asked;            // why
  bool is_by_argument = false;      // as it was asked for; else the hardest cases come first in a list
  std::vector<std::string> devices; // their names, where they are known
  std::set<std::string> methods;    // by which it was searched, where they are known
  std::map<std::string, std::string> modes_in_effect; // CPU modes by stage, where they are known
  // What is searched.
  OwnedJob owned;                   // that of the records' parts; of a list, that of `asked`, cut as the list says
  std::string said;                 // what the file says of its job: the record's `job`, or a list's first line
  std::optional<Symmetry> symmetry; // of records
  std::optional<Json> scaling;      // of records
  std::optional<job::Shard> shard;
  std::optional<int> bits_of_ranges; // K of what ranges say, where a published list has fewer cases than were found
  // What was found.
  EntryCounts entries;
  std::vector<FoundEntry> found; // in the order of the file, where nobody else takes them
  bool has_all_exact = true;     // else it names the first of them, or none
  std::vector<RegimeEntry> regimes;
  std::vector<LeftOutEntry> left_out;
  job::Coverage in_ranges; // ranks that the two name
  std::optional<Summary> summary;
  std::vector<LineMistake> mistakes;

  [[nodiscard]] const job::Job& job() const { return owned.job; }
  // All that have found some of it, first the one that began.
  [[nodiscard]] std::vector<Program> programs() const;
  [[nodiscard]] bool lists_exact() const { return has_all_exact; }
  // Whether all hard cases are in it; beside a published page there are only the hardest.
  [[nodiscard]] bool lists_hard() const { return kind != FileKind::publication; }
  [[nodiscard]] uint128 arguments_left_out() const;
};

// Reads what a search has left. Lines that are damaged, or contradict themselves, are mistakes of the file, but for
// journals: theirs throw what parse_journal() throws. use: gets the entries; without it they are kept. Throws
// UsageError, with one sentence, for what is no result at all: where nothing says what was searched.
[[nodiscard]] RecordedSearch read_search(const ResultText& text, const EntrySink& use = {});

// The same of records in which nothing is wrong by itself, of a child process for instance. Throws DeviceError with the
// first thing that is.
[[nodiscard]] RecordedSearch read_complete_search(const ResultText& text, const EntrySink& use = {});

// What was found, as entries of a file that says their bits to four decimals.
[[nodiscard]] std::vector<FoundEntry> entries_of(const Findings& found);

// What a journal says that was read already, to go on from it.
[[nodiscard]] RecordedSearch recorded(const JournalContents& journal);

// Adds to entries what else the search would have left, as far as the file says: in its fields there are only methods.
void complete(SearchResult& result, const RecordedSearch& search);
// The same with the entries that were kept.
[[nodiscard]] SearchResult to_search_result(const RecordedSearch& search);

} // namespace tmd::result
