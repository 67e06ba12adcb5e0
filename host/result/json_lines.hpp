// Results as JSON Lines (doc/results.md), written and read: a `search` record, a `case` record a case, hardest first,
// an `exact` record an exact case, an `undecided` record an argument that could not be decided, and a `summary` last.
#pragma once

#include "engine/stage.hpp"
#include "job/job.hpp"
#include "result/record.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "support/compressed_file.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// Hands the records to a sink, line by line: of millions of cases they are larger than the cases themselves.
void write_json_lines(const TextSink& sink, const Job& job, const RunDescription& run, const SearchResult& result,
                      bool reproducible = false);
// The same as one text.
// reproducible: without what differs from run to run, such as devices, the planner's choices and times.
[[nodiscard]] std::string json_lines(const Job& job, const RunDescription& run, const SearchResult& result,
                                     bool reproducible = false);

// What the records of a search say.
struct RecordedSearch {
  struct Hardest {
    std::string x;
    double bits = 0;
  };

  Program program;
  std::vector<Program> other_programs; // which have found some of it
  std::string device;                  // its name; of several, their names
  std::string job;                     // its identity
  double arguments = 0;
  uint128 covered = 0;            // the same exactly
  uint128 left_out = 0;           // that it did not reach, or that no part of it has covered
  std::size_t regimes = 0;        // ranges of which all arguments are cases, or none is
  uint128 cases_in_ranges = 0;    // arguments of the former
  uint128 none_in_ranges = 0;     // of the latter
  std::vector<std::string> found; // where they are kept: the case, exact, undecided and range records as they stand
  std::size_t cases = 0;          // of case records
  std::size_t exact = 0;          // cases, of which not all may be listed
  std::size_t undecided = 0;      // of undecided records
  std::map<std::string, Hardest> hardest;             // of the cases, by breakpoint
  Stages stages;                                      // of the engines that this program has; seconds of the device
  double planning_seconds = 0;                        // of the host
  double seconds = 0;                                 // elapsed, without the start of the program
  std::map<std::string, std::string> modes_in_effect; // CPU modes by stage, where they are known

  // Of whose values nothing was known beforehand.
  [[nodiscard]] uint128 searched() const { return covered - cases_in_ranges - none_in_ranges; }
};

// Reads what json_lines() writes; other lines are passed over, for drivers may have printed. Throws DeviceError when
// the text is not a search's complete records, or of another schema. keeps_found: whether `found` is filled.
[[nodiscard]] RecordedSearch read_json_lines(const TextSource& text, bool keeps_found = true);

} // namespace tmd
