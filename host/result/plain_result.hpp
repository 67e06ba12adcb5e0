// Converts results for users of the library, without what only this program needs.
#pragma once

#include "result/search_result.hpp"
#include "tmd/result.hpp"

namespace tmd::result {

[[nodiscard]] JobDescription description_of(const job::Job& job);
// Lists all cases one by one, except those of ranges in which every argument is one.
[[nodiscard]] Result plain_result(const job::Job& job, SearchResult result);

} // namespace tmd::result
