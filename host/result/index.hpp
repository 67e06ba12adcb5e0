// The index of several searches' results: a page for people and a record for programs.
#pragma once

#include "job/job.hpp"
#include "result/recorded_search.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmd::result {

struct IndexEntry {
  std::string name;                     // its files are NAME.jsonl and NAME.wc
  job::Job job;                         // its function must outlive the entry
  std::optional<RecordedSearch> result; // present when the search is done
  std::string failure;                  // why it failed; empty if it was not tried
  Symmetry symmetry = Symmetry::none;   // the symmetry by which only x ≥ 0 is searched
};

// The number of cases expected by chance: for all arguments of a job or, when it is done, for those outside regimes.
[[nodiscard]] double expected_cases(const IndexEntry& entry);

// A table in Markdown, with a line for each search.
[[nodiscard]] std::string index_page(const std::vector<IndexEntry>& entries);

// One JSON object (doc/reference/journals.md).
[[nodiscard]] std::string index_json(const std::vector<IndexEntry>& entries);

} // namespace tmd::result
