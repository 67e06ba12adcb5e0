// Writes the arguments at which a math library failed as a list for further tests.
#pragma once

#include "library/library_findings.hpp"

#include <string>
#include <string_view>

namespace tmd::report {

// A line for each argument, in increasing order and in the form of CORE-MATH's lists. Its comment has, for each call
// that failed, the direction, the returned and the expected result, or what the call did. title: the library and where
// it was called.
[[nodiscard]] std::string failing_list(std::string_view title, const library::LibraryFindings& findings);

} // namespace tmd::report
