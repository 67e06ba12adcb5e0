// What this program is.
#pragma once

#include <string>

namespace tmd::app {

// "0.1.0 (commit 0123456789ab, kernels 0123456789abcdef)": those that it was built with. A program from a source
// archive knows no commit; where it finds other kernels, or none, it says so.
[[nodiscard]] std::string version_text();

} // namespace tmd::app
