// What can be said of a search before it is run.
#pragma once

#include "request/resolve.hpp"

namespace tmd::app {

// With --dry-run, prints what would be searched and how long it would take, and returns true: the search is not to run.
// Without it, throws UsageError where more cases are expected than --most-cases allows, and returns false.
bool survey_before(const request::SearchRequest& request);

} // namespace tmd::app
