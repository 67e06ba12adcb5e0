// A line on the terminal that says how far a search is.
#pragma once

#include "search/search.hpp"

#include <chrono>
#include <string>

namespace tmd {

// "  41.2 %  3.1e+11 arguments/s  12 cases  ETA 0:03:10"; with " on 2 devices" where there are several.
[[nodiscard]] std::string progress_line(const Progress& progress);

// Rewrites one line of stderr, a few times a second, when it is a terminal; silent otherwise.
class ProgressLine {
public:
  explicit ProgressLine(bool wanted);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine(); // clears the line

  void show(const Progress& progress);
  // Makes room for other text; the next show() writes at once.
  void clear();

private:
  bool active_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

} // namespace tmd
