// --mpi: one search on many machines.
#pragma once

#include "options.hpp"

#include "run/ranks.hpp"

#include <functional>

namespace tmd::app {

// Runs a command that has these options: with the ranks of an MPI job where it is given --mpi, else with null. All
// ranks but the first run nothing of it: they serve that one, and say nothing. Throws UsageError where this program is
// without MPI.
int with_ranks(cxxopts::Options options, const Arguments& arguments, const std::function<int(run::Ranks*)>& command);

} // namespace tmd::app
