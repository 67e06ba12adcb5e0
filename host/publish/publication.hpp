// What is known of a function in a format, from one search of all of it or from searches of blocks of it, run after
// run: what the pages of a folder of results are made of.
#pragma once

#include "job/job.hpp"
#include "result/records.hpp"
#include "result/result_file.hpp"
#include "search/binade_counts.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// The hardest case of each kind.
using Hardest = std::map<Breakpoint, Case>;
// Adds a case where it has more bits than what is known.
void note_hardest(Hardest& hardest, const Case& one);

// What one search has found: its hard cases are counted, and the hardest of them named.
struct PublishedBlock {
  RankInterval range; // that was asked for
  Program program;
  std::vector<Program> other_programs; // which have found some of it
  std::string devices;                 // their names, where they are known
  std::optional<double> seconds;       // elapsed, where they are known
  Coverage covered;                    // ranks, those of regimes among them
  std::uint64_t exact = 0;
  std::uint64_t undecided = 0;
  Hardest hardest;
  std::vector<Case> named; // the first exact cases, then the first undecided arguments, by argument
  std::vector<RegimeRange> regimes;
  std::vector<BinadeTally> binades; // of the arguments that were searched one by one

  [[nodiscard]] std::uint64_t cases() const;
};

// Blocks that have no argument in common, of jobs that differ in nothing but their ranges.
struct Publication {
  OwnedJob owned;                     // of all arguments that the function has in the format
  Symmetry symmetry = Symmetry::none; // for which those are x ≥ 0 only
  std::vector<PublishedBlock> blocks; // by their first argument
  int listed_from = 0;                // hard cases of so many bits, and of more,
  std::vector<Case> listed;           // are listed, by argument

  [[nodiscard]] const Job& job() const { return owned.job; }
  [[nodiscard]] Coverage covered() const;
  [[nodiscard]] std::uint64_t cases() const;
  [[nodiscard]] Hardest hardest() const;
};

// "log", "rootn3", "sin-nearest", "exp-q54-unbounded": what the files of a job's function are called in the folder of
// its format. Expressions that differ in signs alone share a name, and so do jobs of different K.
[[nodiscard]] std::string publication_name(const Job& job);

// Adds a result to what is published of its function, or to nothing. A block all of whose arguments the result covers
// is replaced. Listed stays what fits into so many bytes once it is packed by xz: the hard cases from the least K on.
// Throws UsageError where the result is of another job, or covers some of a block's arguments, and not all.
void add_to(std::optional<Publication>& published, const ResultFile& result, std::size_t most_bytes);

// What is listed, as CORE-MATH has its lists.
[[nodiscard]] std::string list_text(const Publication& published);

// JSON Lines (doc/results.md), all but what is listed: a `publication` record and, of each block, a `block` record
// followed by its `searched`, `binade`, `exact`, `undecided` and `range` records.
[[nodiscard]] std::string publication_records(const Publication& published);
// Reads these. Throws UsageError, with the name, for what they are not.
[[nodiscard]] Publication read_publication(std::string_view records, std::string_view name);
// Reads what is listed. Throws UsageError, with the name, for what is no list of the publication's.
void read_list(Publication& published, std::string_view list, std::string_view name);

} // namespace tmd
