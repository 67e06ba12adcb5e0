// The arguments that have to be searched because of a function's scaling: their values determine all others.
#pragma once

#include "job/coverage.hpp"
#include "job/job.hpp"

namespace tmd::job {

// Ranks of arguments whose values decide those at all others of the function's domain (at x >= 0, of odd and even
// functions), whatever the job's range: every other argument has one among them whose value has the same significand,
// or for an addend the same distances from breakpoints, in a binade with as many bits. Empty where the function has no
// scaling that is of use.
[[nodiscard]] Coverage decisive_ranks(const Job& job);

// Restricts the job to these ranks, of which there is at least one.
void search_only(Job& job, const Coverage& decisive);

} // namespace tmd::job
