// --mpi: one search on many machines.
#pragma once

#include "options.hpp"

#include "run/ranks.hpp"

#include <functional>

namespace tmd::app {

// Runs a command with the ranks of an MPI job if --mpi is given, else with null. All ranks except the first only serve
// that one, and print nothing. Throws UsageError if this program was built without MPI.
int with_ranks(cxxopts::Options options, const Arguments& arguments, const std::function<int(run::Ranks*)>& command);

} // namespace tmd::app
