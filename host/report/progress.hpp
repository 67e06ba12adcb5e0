// A line on the terminal that says how far a search is.
#pragma once

#include "search/search.hpp"
#include "support/terminal_line.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tmd {

// "1d 2:03:04", of seconds.
[[nodiscard]] std::string duration(double seconds);

// "0:00:12   41.20 %  3.10e+11 arguments/s  12 cases  ETA 0:03:10"; with " on 2 devices" where there are several.
[[nodiscard]] std::string progress_line(const Progress& progress);

// Shows it on stderr, a few times a second, when that is a terminal; silent otherwise. Between the parts of a search,
// which may take long, and before the first, time goes on.
class ProgressLine {
public:
  // total: arguments.
  ProgressLine(bool wanted, uint128 total);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(const Progress& progress);
  // Makes room for other text; the next show() writes at once.
  void clear();

private:
  void tick();

  std::mutex mutex_; // of all that follows
  TerminalLine line_;
  Progress last_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now(); // last_
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread ticker_;
};

} // namespace tmd
