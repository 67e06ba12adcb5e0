// What python/tmd/publish.py asks of the program: what only the mathematics of a function tells of a result.
#pragma once

#include "result/recorded_search.hpp"

#include <string>
#include <string_view>

namespace tmd::report {

// JSON Lines: a `tally` record of the job's function, with the range of all its arguments (`from`, `to`), its
// `symmetry`, its `scaling`, and by that the ranges which decide all others (`decisive`).
[[nodiscard]] std::string tally_record(const job::Job& job);

// A `binade` record (doc/reference/journals.md, "Pages") for each binade of the arguments that a result has searched
// one by one.
[[nodiscard]] std::string binade_records(const result::RecordedSearch& result);

// A `case` record for each argument of a list, with its bits to four decimals. Throws UsageError, with the name, for
// what is no list of hard cases of the job, whatever its range.
[[nodiscard]] std::string listed_records(const job::Job& job, std::string_view list, std::string_view name);

} // namespace tmd::report
