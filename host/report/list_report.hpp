// Reports what is wrong with a list of cases, as a table and as records.
#pragma once

#include "job/job.hpp"
#include "result/list_check.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace tmd::report {

struct ListFindings {
  result::JudgedList list;
  std::optional<result::Completeness> compared;
  std::vector<result::Mistake> mistakes; // those that count, missing cases first
  std::size_t allowed = 0;               // number of superfluous entries that do not count
  std::optional<std::string> against;    // the file that the list was compared with

  // Adds mistakes of the list itself: superfluous entries may be allowed, and none counts if only missing cases do.
  void add(const std::vector<result::Mistake>& of_list, bool allow_extra, bool missing_only);
};

// The first hundred mistakes, a line for each binade, and the counts.
[[nodiscard]] std::string list_table(const ListFindings& findings, const job::Job& job);
// JSON Lines after a record that says what was checked.
[[nodiscard]] std::string list_records(const nlohmann::ordered_json& head, const ListFindings& findings);

} // namespace tmd::report
