// The option --progress: how often and in which form a search reports its progress.
#pragma once

#include "tmd/progress.hpp"

#include <string>
#include <string_view>

namespace tmd::request {

// "lines:10", "json:0.5": the form, and an interval from 0.1 second to a day. Throws UsageError, naming --progress, for
// anything else.
[[nodiscard]] ProgressReports parse_progress(std::string_view text);
// The text from which these reports are parsed.
[[nodiscard]] std::string to_string(const ProgressReports& reports);

} // namespace tmd::request
