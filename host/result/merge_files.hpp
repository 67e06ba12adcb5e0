// Reads the files of parts of one job and merges them.
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

// Reads JSON Lines or journals of searches, and merges them. Notes name differing programs, and arguments of unfinished
// claims, which do not count. Throws what Merge throws, and UsageError for a file that is no result or has a mistake.
[[nodiscard]] MergedFiles merge_files(const std::vector<std::string>& names, bool other_version,
                                      const RemarkHandler& on_remark);

// Throws UsageError if some arguments are in no part.
void require_no_gaps(const job::Job& job, const SearchResult& result);

} // namespace tmd::result
