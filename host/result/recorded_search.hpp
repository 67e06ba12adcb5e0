// A search as its file describes it, for checks that trust nothing in it: one type and one reader for JSON Lines, .wc
// lists, journals and published pages. The reader works line by line. RecordedSearch holds everything except the
// entries, if there may be millions: these can be handed on one by one.
#pragma once

#include "engine/stage.hpp"
#include "job/regime.hpp"
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

// An entry, and what the file says about it.
struct FoundEntry {
  std::size_t line = 0; // counted from 1
  Argument x;
  Case::Kind kind = Case::Kind::hard;
  std::optional<double> bits;           // in records of hard cases
  std::optional<Breakpoint> breakpoint; // in records

  friend bool operator==(const FoundEntry&, const FoundEntry&) = default;
};

// The case that an entry describes, as far as it does.
[[nodiscard]] Case case_of(const FoundEntry& entry);

// Receives the entries, in the order of the file.
using EntrySink = std::function<void(const FoundEntry&)>;

struct RegimeEntry {
  std::size_t line = 0;
  job::RegimeRange range;
};

// Arguments not searched: left out, a gap between merged parts, or the rest of an interrupted search.
struct LeftOutEntry {
  std::size_t line = 0;
  job::RankInterval ranks;

  [[nodiscard]] uint128 size() const { return static_cast<uint128>(ranks.last - ranks.first); }
};

// Counts of entries, whether these are kept or not.
struct EntryCounts {
  std::size_t hard = 0;
  std::size_t exact = 0;
  std::size_t undecided = 0;
  std::map<std::string, FoundEntry, std::less<>>
      hardest; // in records: the first entry with the most bits, by breakpoint

  void add(Case::Kind kind);
  void add(const FoundEntry& entry);
};

// The end of a file: the numbers of entries, and the cost of the search.
struct Summary {
  std::size_t line = 0;
  uint128 arguments = 0; // covered
  uint128 cases = 0;
  uint128 exact = 0;
  uint128 exact_listed = 0;         // exact cases listed one by one
  std::optional<uint128> undecided; // from here on, only in summary records
  std::optional<uint128> cases_in_ranges;
  std::optional<uint128> none_in_ranges;
  std::optional<uint128> exact_in_ranges;
  std::optional<uint128> left_out; // including gaps
  bool partial = false;
  double seconds = 0;          // elapsed, without the start of the program; 0 if unknown
  double planning_seconds = 0; // host time; 0 if unknown
  engine::Stages stages;       // device time; of the engines that this program has
  engine::Idle idle;           // empty if unknown

  // Arguments about whose values nothing was known before.
  [[nodiscard]] uint128 searched() const {
    return arguments - cases_in_ranges.value_or(0) - none_in_ranges.value_or(0);
  }
};

// A mistake in a line, or in the whole file (line 0).
struct LineMistake {
  std::size_t line = 0;
  std::string sentence;
};

struct RecordedSearch {
  FileKind kind = FileKind::records;
  // The origin of the file.
  Program program;                     // the program that found it, or started to
  std::vector<Program> other_programs; // others that found some of it
  std::string command;
  bool is_merged = false;    // from several searches, without a single request
  bool is_published = false; // a list or records beside a page, without a single request
  std::optional<request::SearchRequest>
      asked;                        // resolved, not cut; empty if the file does not have it, or if it is invalid
  std::string not_asked;            // the reason why `asked` is empty
  bool is_by_argument = false;      // whether the request asks for cases by argument; else the hardest come first
  std::vector<std::string> devices; // names, if known
  std::set<std::string> methods;    // methods used, if known
  std::map<std::string, std::string> modes_in_effect; // CPU modes by stage, if known
  // The job.
  OwnedJob owned;                   // from the keys of records; for a list, that of `asked`, cut as the list says
  std::string said;                 // the file's text for its job: the record's `job`, or a list's first line
  std::optional<Symmetry> symmetry; // in records
  std::optional<Json> scaling;      // in records
  std::optional<job::Shard> shard;
  std::optional<int> bits_of_ranges; // K of the ranges, if a published list has fewer cases than were found
  // The findings.
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

// The findings as entries of a file, with bits to four decimals.
[[nodiscard]] std::vector<FoundEntry> entries_of(const Findings& found);

// The contents of a journal that was read to be resumed.
[[nodiscard]] RecordedSearch recorded(const JournalContents& journal);

// Adds to entries the rest of the search's result, as far as the file has it; fields have only methods.
void complete(SearchResult& result, const RecordedSearch& search);
// The same with the entries that were kept.
[[nodiscard]] SearchResult to_search_result(const RecordedSearch& search);

} // namespace tmd::result
