// CORE-MATH's lists (.wc): comments that say how a list was made, then one hex float a line, hardest first.
#pragma once

#include "job/job.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"

#include <string>

namespace tmd {

// One line: what is searched, the range as the user wrote it.
[[nodiscard]] std::string describe(const Job& job, const RunDescription& run);

// One line: a range, and what is true of all its arguments.
[[nodiscard]] std::string describe(const Job& job, const RegimeRange& range);
// One line: ranks that were left out.
[[nodiscard]] std::string describe_left_out(const Job& job, const Coverage::Interval& ranks);
[[nodiscard]] std::string describe_gap(const Job& job, const Coverage::Interval& ranks);

[[nodiscard]] std::string wc_file(const Job& job, const RunDescription& run, const SearchResult& result);

} // namespace tmd
