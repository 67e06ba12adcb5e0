#include "request/progress_reports.hpp"

#include "request/numbers.hpp"
#include "tmd/error.hpp"

#include <fmt/format.h>

namespace tmd::request {

ProgressReports parse_progress(std::string_view text) {
  constexpr double least = 0.1;
  constexpr double most = 86400;
  const std::size_t colon = text.find(':');
  const std::string_view form = text.substr(0, colon);
  ProgressReports reports;
  reports.form = form == "json" ? ProgressReports::Form::json : ProgressReports::Form::lines;
  const auto seconds = number_of<double>(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  if ((form != "lines" && form != "json") || !seconds || !(*seconds >= least && *seconds <= most))
    throw UsageError(fmt::format("--progress takes lines:SECONDS or json:SECONDS, with {} to {:.0f} seconds, not '{}'",
                                 least, most, text));
  reports.seconds = *seconds;
  return reports;
}

std::string to_string(const ProgressReports& reports) {
  return fmt::format("{}:{}", reports.form == ProgressReports::Form::json ? "json" : "lines", reports.seconds);
}

} // namespace tmd::request
