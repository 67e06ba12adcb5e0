// What the records of a search say was found, as the search had it.
#pragma once

#include "result/records.hpp"
#include "result/search_result.hpp"

#include <string_view>

namespace tmd {

struct RecordedResult {
  OwnedJob owned;
  SearchResult result; // what it has found and covered; its stages, fields and workers are not known

  [[nodiscard]] const Job& job() const { return owned.job; }
};

// Reads what json_lines() writes; lines that are no records are passed over, for drivers may have printed. `name`
// stands in messages. Throws UsageError where the text has no records of a search, those of several, not all of one, or
// a record that is none of its job, with the line's number.
[[nodiscard]] RecordedResult read_recorded_result(std::string_view text, std::string_view name);

} // namespace tmd
