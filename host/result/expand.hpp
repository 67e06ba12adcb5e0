// Lists the cases of ranges in which one binade determines all cases.
#pragma once

#include "result/search_result.hpp"

namespace tmd::result {

// Replaces such ranges by their cases, each confirmed by MPFR, with a thread for each core. Throws SoundnessError if
// MPFR finds that one is no hard case.
void expand(const job::Job& job, SearchResult& result);

} // namespace tmd::result
