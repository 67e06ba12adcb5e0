// Writes results as JSON Lines (doc/reference/records.md): a `search` record, a `case` record for each case, hardest
// first, an `exact` record for each exact case, an `undecided` record for each undecided argument, and a `summary`
// last. recorded_search.hpp reads them.
#pragma once

#include "job/job.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "support/compressed_file.hpp"

#include <string>

namespace tmd::result {

// Writes the records to a sink, line by line: for millions of cases the text is larger than the cases themselves.
void write_json_lines(const support::TextSink& sink, const job::Job& job, const RunDescription& run,
                      const SearchResult& result, bool reproducible = false);
// The same as one text. reproducible: leaves out what differs from run to run, such as devices, choices of the planner
// and times.
[[nodiscard]] std::string json_lines(const job::Job& job, const RunDescription& run, const SearchResult& result,
                                     bool reproducible = false);

} // namespace tmd::result
