// Runs searches for other subcommands.
#pragma once

#include "run/ranks.hpp"
#include "tmd/search_spec.hpp"

#include <vector>

namespace tmd::app {

// Runs searches one after the other. ranks: those of an MPI job, or null. silent: prints nothing on standard output.
// Returns the exit status.
int search_all(const std::vector<SearchSpec>& specs, run::Ranks* ranks, bool silent = false);

} // namespace tmd::app
