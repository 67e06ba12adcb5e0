// What other subcommands ask of `tmd search`.
#pragma once

#include "mpi_ranks.hpp"
#include "search_options.hpp"

namespace tmd::app {

// Parses the arguments of a search as `tmd search` does, and runs nothing; it looks at no file and no device. Throws
// UsageError for what `tmd search` would refuse.
[[nodiscard]] SearchOptions check_search(const Arguments& arguments);

// In the names of files it stands for the name of each function of a list.
inline constexpr char for_function = '%';

// Whether two searches, which are the same but for their functions, have much in common: what is done for one serves
// the other, too, where one process does both.
[[nodiscard]] bool are_mates(const SearchOptions& one, const SearchOptions& other);

// `tmd search` with the ranks of an MPI job; null without MPI. silent: prints nothing on standard output.
int search_with(const Arguments& arguments, Ranks* ranks, bool silent = false);

} // namespace tmd::app
