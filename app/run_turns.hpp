// The searches of a job file, turn by turn.
#pragma once

#include "mpi_ranks.hpp"

#include "result/job_results.hpp"

#include <vector>

namespace tmd::app {

// Runs the wanted searches that are not done, reports each outcome, and keeps the index. With the ranks of an MPI job
// they run in this process. Returns the exit status; throws Error if some have failed.
int run_turns(const std::vector<request::JobSearch>& searches, result::JobResults& results, std::vector<bool> wanted,
              run::Ranks* ranks);

} // namespace tmd::app
