// The arguments at which a math library failed, as a list that it can be tested with again.
#pragma once

#include "library/library_findings.hpp"

#include <string>
#include <string_view>

namespace tmd::report {

// A line for each argument, in their order, as CORE-MATH's lists have them, with a comment: of each call that failed
// the direction, what it returned and what was expected, or what it did. title: which library, and where it was called.
[[nodiscard]] std::string failing_list(std::string_view title, const library::LibraryFindings& findings);

} // namespace tmd::report
