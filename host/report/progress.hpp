// Shows the progress of a search: a line on the terminal, or reports line by line.
#pragma once

#include "request/progress_reports.hpp"
#include "search/search.hpp"
#include "support/terminal_line.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace tmd::report {

// "1d 2:03:04", from seconds.
[[nodiscard]] std::string duration(double seconds);

// "0:00:12   41.20 %  3.10e+11 arguments/s  12 cases  ETA 0:03:10", and " on 2 devices" if there are several. unit:
// what progress is counted in, as a key of records.
[[nodiscard]] std::string progress_line(const Progress& progress, std::string_view unit = "arguments");

// The same as a `progress` record (doc/reference/journals.md).
[[nodiscard]] std::string progress_record(const Progress& progress, std::string_view unit = "arguments");

// Shows progress on stderr. Without reports: a few times a second if stderr is a terminal, else not at all. With
// reports: one a line, terminal or not. A thread keeps the time running between the parts of a search, which may take
// long, and before the first. A reader that is slow or gone does not stop the search.
class ProgressLine {
public:
  // wanted: whether to show the line on the terminal. total: number of arguments, or of the unit. descriptor: where to
  // write.
  ProgressLine(bool wanted, uint128 total, const std::optional<ProgressReports>& reports = {},
               int descriptor = STDERR_FILENO, std::string_view unit = "arguments");
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(const Progress& progress);
  // Erases the line to make room for other text; the next show() writes at once.
  void clear();

private:
  [[nodiscard]] Progress now() const;
  void tick();
  void report(const ProgressReports& reports);

  int descriptor_;
  std::string_view unit_;
  std::mutex mutex_; // guards the following members
  support::TerminalLine line_;
  Progress last_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now(); // time of last_
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread ticker_;
};

} // namespace tmd::report
