// What other subcommands ask of `tmd search`.
#pragma once

#include "mpi_ranks.hpp"
#include "search_options.hpp"

namespace tmd::app {

// Parses the arguments of a search as `tmd search` does, and runs nothing; it looks at no file and no device. Throws
// UsageError for what `tmd search` would refuse.
[[nodiscard]] SearchOptions check_search(const Arguments& arguments);

// `tmd search` with the ranks of an MPI job; null without MPI. silent: prints nothing on standard output.
int search_with(const Arguments& arguments, Ranks* ranks, bool silent = false);

} // namespace tmd::app
