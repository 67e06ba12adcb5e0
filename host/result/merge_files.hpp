// Files of parts of one job, read and put together.
#pragma once

#include "result/records.hpp"
#include "result/run_description.hpp"
#include "result/search_result.hpp"
#include "tmd/remark.hpp"

#include <string>
#include <vector>

namespace tmd::result {

struct MergedFiles {
  OwnedJob owned;
  SearchResult result;
  RunDescription run; // of all parts; without a command
};

// Reads JSON Lines or journals of searches, and merges them. Notes tell of programs that are not the same, and of
// arguments that count only when a part of them has ended. Throws what Merge throws, and UsageError for what is no
// result or wrong in itself.
[[nodiscard]] MergedFiles merge_files(const std::vector<std::string>& names, bool other_version, const Tell& tell);

// Throws UsageError where some arguments are in no part.
void require_no_gaps(const job::Job& job, const SearchResult& result);

} // namespace tmd::result
