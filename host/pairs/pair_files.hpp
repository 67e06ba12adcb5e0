// The output of a search of a function of two variables: a list in CORE-MATH's form, records, and a table for people.
#pragma once

#include "pairs/pair_job.hpp"
#include "result/record.hpp"

#include <cstddef>
#include <string>

namespace tmd::pairs {

// command: the command that made the list.
[[nodiscard]] std::string pair_list(const PairJob& job, const PairResult& result, const std::string& command);
// The same as JSON Lines. reproducible: leaves out times.
[[nodiscard]] std::string pair_records(const PairJob& job, const PairResult& result, const std::string& command,
                                       bool reproducible);
// The first `most` cases, the families, and the counts of the search.
[[nodiscard]] std::string pair_table(const PairJob& job, const PairResult& result, std::size_t most);

} // namespace tmd::pairs
