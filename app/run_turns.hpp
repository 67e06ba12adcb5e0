// The searches of a job file, turn by turn.
#pragma once

#include "mpi_ranks.hpp"

#include "result/job_results.hpp"

#include <vector>

namespace tmd::app {

// Does the wanted searches that are not done, says what has come of each, and keeps the index. With the ranks of an MPI
// job they are done in this process. Returns the exit status; throws Error where some have failed.
int run_turns(const std::vector<request::JobSearch>& searches, result::JobResults& results, std::vector<bool> wanted,
              run::Ranks* ranks);

} // namespace tmd::app
