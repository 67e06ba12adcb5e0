// What other subcommands ask of `tmd search`.
#pragma once

#include "mpi_ranks.hpp"

#include "request/resolve.hpp"

#include <vector>

namespace tmd::app {

// Whether two searches, which are the same but for their functions, have much in common: what is done for one serves
// the other, too, where one process does both.
[[nodiscard]] bool are_mates(const SearchRequest& one, const SearchRequest& other);

// Searches one after the other, with the ranks of an MPI job; null without MPI. silent: prints nothing on standard
// output. Returns the exit status.
int search_all(const std::vector<SearchSpec>& specs, Ranks* ranks, bool silent = false);

} // namespace tmd::app
