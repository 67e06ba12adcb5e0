#include "report/progress.hpp"

#include "support/stopwatch.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace tmd {

std::string duration(double seconds) {
  constexpr double longest = 3600.0 * 24 * 365 * 100;
  const auto whole = static_cast<std::int64_t>(std::min(seconds, longest));
  const std::int64_t days = whole / 86400;
  return fmt::format("{}{}:{:02}:{:02}", days > 0 ? fmt::format("{}d ", days) : "", whole / 3600 % 24, whole / 60 % 60,
                     whole % 60);
}

std::string progress_line(const Progress& progress) {
  const auto done = static_cast<double>(progress.done);
  const auto total = static_cast<double>(progress.total);
  const double rate = done / std::max(progress.seconds, 1e-9);
  return fmt::format("{}  {:6.2f} %  {:.2e} arguments/s{}  {} cases  ETA {}", duration(progress.seconds),
                     100 * done / total, rate,
                     progress.devices > 1 ? fmt::format(" on {} devices", progress.devices) : "", progress.cases,
                     progress.done > 0 ? duration((total - done) / rate) : "?");
}

ProgressLine::ProgressLine(bool wanted, uint128 total) : line_(wanted) {
  last_.total = total;
  if (line_.active())
    ticker_ = std::thread([this] { tick(); });
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_one();
  if (ticker_.joinable())
    ticker_.join();
}

void ProgressLine::show(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  last_ = progress;
  told_ = std::chrono::steady_clock::now();
  if (line_.due())
    line_.show(progress_line(progress));
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  line_.clear();
}

void ProgressLine::tick() {
  constexpr std::chrono::milliseconds rhythm(500);
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, rhythm, [this] { return ended_; })) {
    Progress now = last_;
    now.seconds += seconds_since(told_);
    if (line_.due())
      line_.show(progress_line(now));
  }
}

} // namespace tmd
