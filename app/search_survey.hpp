// Surveys a search before it is run.
#pragma once

#include "request/resolve.hpp"

namespace tmd::app {

// With --dry-run, prints what would be searched and how long it would take, and returns true: the search must not run.
// Otherwise returns false, or throws UsageError if more cases are expected than --most-cases allows.
bool survey_before(const request::SearchRequest& request);

} // namespace tmd::app
