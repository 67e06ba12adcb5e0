// Ranges of which one binade tells the cases, told one by one.
#pragma once

#include "result/search_result.hpp"

namespace tmd::result {

// Lists the cases of ranges that have some, each as MPFR finds it, and takes such ranges off the list. On as many
// threads as there are cores. Throws SoundnessError where MPFR finds that one is no hard case.
void expand(const job::Job& job, SearchResult& result);

} // namespace tmd::result
