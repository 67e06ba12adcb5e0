// How often, and in which form, a search says how far it is.
#pragma once

#include "tmd/progress.hpp"

#include <string>
#include <string_view>

namespace tmd::request {

// "lines:10", "json:0.5": the form, and seconds from 0.1 to a day. Throws UsageError, naming --progress, for anything
// else.
[[nodiscard]] ProgressReports parse_progress(std::string_view text);
// The text that is parsed as these reports.
[[nodiscard]] std::string to_string(const ProgressReports& reports);

} // namespace tmd::request
