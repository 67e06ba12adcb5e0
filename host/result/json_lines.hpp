// Results as JSON Lines (doc/reference/records.md), written: a `search` record, a `case` record a case, hardest first,
// an `exact` record an exact case, an `undecided` record an argument that could not be decided, and a `summary` last.
// recorded_search.hpp reads them.
#pragma once

#include "job/job.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "support/compressed_file.hpp"

#include <string>

namespace tmd::result {

// Hands the records to a sink, line by line: of millions of cases they are larger than the cases themselves.
void write_json_lines(const support::TextSink& sink, const job::Job& job, const RunDescription& run,
                      const SearchResult& result, bool reproducible = false);
// The same as one text.
// reproducible: without what differs from run to run, such as devices, the planner's choices and times.
[[nodiscard]] std::string json_lines(const job::Job& job, const RunDescription& run, const SearchResult& result,
                                     bool reproducible = false);

} // namespace tmd::result
