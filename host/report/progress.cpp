#include "report/progress.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace tmd {

std::string progress_line(const Progress& progress) {
  const auto done = static_cast<double>(progress.done);
  const auto total = static_cast<double>(progress.total);
  const double rate = done / std::max(progress.seconds, 1e-9);
  std::string eta = "?";
  if (progress.done > 0) {
    constexpr double longest = 3600.0 * 24 * 365 * 100;
    const auto left = static_cast<std::int64_t>(std::min((total - done) / rate, longest));
    const std::int64_t days = left / 86400;
    eta = fmt::format("{}{}:{:02}:{:02}", days > 0 ? fmt::format("{}d ", days) : "", left / 3600 % 24, left / 60 % 60,
                      left % 60);
  }
  return fmt::format("{:6.2f} %  {:.2e} arguments/s{}  {} cases  ETA {}", 100 * done / total, rate,
                     progress.devices > 1 ? fmt::format(" on {} devices", progress.devices) : "", progress.cases, eta);
}

void ProgressLine::show(const Progress& progress) {
  if (line_.due())
    line_.show(progress_line(progress));
}

} // namespace tmd
