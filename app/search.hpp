// What other subcommands ask of `tmd search`.
#pragma once

#include "run/ranks.hpp"
#include "tmd/search_spec.hpp"

#include <vector>

namespace tmd::app {

// Searches one after the other, with the ranks of an MPI job; null without MPI. silent: prints nothing on standard
// output. Returns the exit status.
int search_all(const std::vector<SearchSpec>& specs, run::Ranks* ranks, bool silent = false);

} // namespace tmd::app
