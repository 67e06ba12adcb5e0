#include "report/progress.hpp"

#include "result/records.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>

#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd::report {

std::string duration(double seconds) {
  constexpr double longest = 3600.0 * 24 * 365 * 100;
  const auto whole = static_cast<std::int64_t>(std::min(seconds, longest));
  const std::int64_t days = whole / 86400;
  return fmt::format("{}{}:{:02}:{:02}", days > 0 ? fmt::format("{}d ", days) : "", whole / 3600 % 24, whole / 60 % 60,
                     whole % 60);
}

namespace {

double arguments_per_second(const Progress& progress) {
  return static_cast<double>(progress.done - progress.known) / std::max(progress.seconds, 1e-9);
}

// Nothing until something is done.
std::optional<double> seconds_left(const Progress& progress) {
  if (progress.done == progress.known)
    return std::nullopt;
  return static_cast<double>(progress.total - std::min(progress.done, progress.total)) / arguments_per_second(progress);
}

double share_of(const Progress& progress) {
  return static_cast<double>(progress.done) / static_cast<double>(progress.total);
}

// Writes a whole line, or nothing if there is no room: otherwise a pipe that nobody reads would block the search.
void write_line(int descriptor, const std::string& line) {
  pollfd room{descriptor, POLLOUT, 0};
  if (::poll(&room, 1, 0) == 1) [[maybe_unused]]
    const ssize_t written = ::write(descriptor, line.data(), line.size());
}

} // namespace

std::string progress_line(const Progress& progress, std::string_view unit) {
  const auto left = seconds_left(progress);
  return fmt::format("{}  {:6.2f} %  {:.2e} {}/s{}  {}  ETA {}", duration(progress.seconds), 100 * share_of(progress),
                     arguments_per_second(progress), unit,
                     progress.devices > 1 ? fmt::format(" on {} devices", progress.devices) : "",
                     support::counted(progress.cases, "case"), left ? duration(*left) : "?");
}

std::string progress_record(const Progress& progress, std::string_view unit) {
  const auto left = seconds_left(progress);
  return result::plain_record("progress", {{"seconds", progress.seconds},
                                           {std::string(unit), result::to_json(progress.done)},
                                           {"total", result::to_json(progress.total)},
                                           {"share", share_of(progress)},
                                           {fmt::format("{}_per_second", unit), arguments_per_second(progress)},
                                           {"cases", progress.cases},
                                           {"devices", progress.devices},
                                           {"seconds_left", left ? result::Json(*left) : result::Json(nullptr)}})
      .dump();
}

ProgressLine::ProgressLine(bool wanted, uint128 total, const std::optional<ProgressReports>& reports, int descriptor,
                           std::string_view unit)
    : descriptor_(descriptor), unit_(unit), line_(wanted && !reports, descriptor) {
  last_.total = total;
  if (reports)
    ticker_ = std::thread([this, asked = *reports] { report(asked); });
  else if (line_.active())
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
    line_.show(progress_line(progress, unit_));
}

void ProgressLine::clear() {
  const std::lock_guard lock(mutex_);
  line_.clear();
}

Progress ProgressLine::now() const {
  Progress progress = last_;
  progress.seconds += support::seconds_since(told_);
  return progress;
}

void ProgressLine::tick() {
  constexpr std::chrono::milliseconds rhythm(500);
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, rhythm, [this] { return ended_; }))
    if (line_.due())
      line_.show(progress_line(now(), unit_));
}

void ProgressLine::report(const ProgressReports& reports) {
  // If the reader is gone, write() must fail in this thread instead of killing the process.
  sigset_t pipes;
  (void)sigemptyset(&pipes);
  (void)sigaddset(&pipes, SIGPIPE);
  (void)::pthread_sigmask(SIG_BLOCK, &pipes, nullptr);
  const auto rhythm =
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(reports.seconds));
  auto next = std::chrono::steady_clock::now() + rhythm;
  std::unique_lock lock(mutex_);
  while (!ending_.wait_until(lock, next, [this] { return ended_; })) {
    const Progress progress = now();
    lock.unlock(); // a slow file must not block the search
    const bool as_json = reports.form == ProgressReports::Form::json;
    write_line(descriptor_, (as_json ? progress_record(progress, unit_) : progress_line(progress, unit_)) + "\n");
    next = std::max(next + rhythm, std::chrono::steady_clock::now());
    lock.lock();
  }
}

} // namespace tmd::report
