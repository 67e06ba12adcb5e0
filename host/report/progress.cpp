#include "report/progress.hpp"

#include <cstdio>

#include <unistd.h>

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

ProgressLine::ProgressLine(bool wanted) : active_(wanted && ::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_)
    fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

void ProgressLine::show(const Progress& progress) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::steady_clock::now();
  if (!active_ || (shown_ && now - last_ < 200ms))
    return;
  last_ = now;
  shown_ = true;
  fmt::print(stderr, "\r{}\033[K", progress_line(progress));
  std::fflush(stderr);
}

} // namespace tmd
