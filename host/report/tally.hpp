// Answers python/tmd/publish.py: facts about a result that follow from the mathematics of its function.
#pragma once

#include "result/recorded_search.hpp"

#include <string>
#include <string_view>

namespace tmd::report {

// JSON Lines: a `tally` record of the job's function, with the range of all its arguments (`from`, `to`), its
// `symmetry`, its `scaling`, and the ranges that decide all others (`decisive`); `job` and `values` as the records of
// the job have them.
[[nodiscard]] std::string tally_record(const job::Job& job);

// The job of a result, with values as the format has them if all that were searched lie within the format's bounds.
[[nodiscard]] job::Job job_to_publish(const result::RecordedSearch& result);

// A `binade` record (doc/reference/journals.md, "Pages") for each binade of arguments searched one by one.
[[nodiscard]] std::string binade_records(const result::RecordedSearch& result);

// A `case` record for each argument of a list, with its hardness to four decimals. Throws UsageError, with the name, if
// the text is no list of hard cases of the job; the job's range does not matter.
[[nodiscard]] std::string listed_records(const job::Job& job, std::string_view list, std::string_view name);

} // namespace tmd::report
