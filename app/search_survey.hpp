// What can be said of a search before it is run.
#pragma once

#include "request/resolve.hpp"

namespace tmd::app {

// Of a dry run: prints what would be searched, and how long it would take. Else throws UsageError where more cases are
// to be expected than --most-cases allows. Returns whether there is nothing more to be done.
bool survey_before(const SearchRequest& request);

} // namespace tmd::app
