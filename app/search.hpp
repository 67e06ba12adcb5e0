// What other subcommands ask of `tmd search`.
#pragma once

#include "search_options.hpp"

namespace tmd::app {

// Parses the arguments of a search as `tmd search` does, and runs nothing; it looks at no file and no device. Throws
// UsageError for what `tmd search` would refuse.
[[nodiscard]] SearchOptions check_search(const Arguments& arguments);

} // namespace tmd::app
