// Results for whoever uses the library: without what only this program needs of them.
#pragma once

#include "result/search_result.hpp"
#include "tmd/result.hpp"

namespace tmd::result {

[[nodiscard]] JobDescription description_of(const job::Job& job);
// With all cases one by one, but those of ranges of which every argument is one.
[[nodiscard]] Result plain_result(const job::Job& job, SearchResult result);

} // namespace tmd::result
