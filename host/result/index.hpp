// An index of results: what several searches have found, as a page for people and a record for programs.
#pragma once

#include "job/job.hpp"
#include "result/recorded_search.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmd::result {

struct IndexEntry {
  std::string name;                     // its files are NAME.jsonl and NAME.wc
  job::Job job;                         // whose function must outlive the entry
  std::optional<RecordedSearch> result; // once it is done
  std::string failure;                  // why it is not; empty where it has not been tried
  Symmetry symmetry = Symmetry::none;   // for which only x ≥ 0 is searched
};

// How many cases chance gives: to all arguments of a job, or once it is done, to those that no regime has.
[[nodiscard]] double expected_cases(const IndexEntry& entry);

// A table in Markdown, a line a search.
[[nodiscard]] std::string index_page(const std::vector<IndexEntry>& entries);

// One JSON object (doc/reference/journals.md).
[[nodiscard]] std::string index_json(const std::vector<IndexEntry>& entries);

} // namespace tmd::result
