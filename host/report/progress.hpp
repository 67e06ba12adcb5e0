// A line on the terminal that says how far a search is.
#pragma once

#include "search/search.hpp"
#include "support/terminal_line.hpp"

#include <string>

namespace tmd {

// "  41.2 %  3.1e+11 arguments/s  12 cases  ETA 0:03:10"; with " on 2 devices" where there are several.
[[nodiscard]] std::string progress_line(const Progress& progress);

// Shows it on stderr, a few times a second, when that is a terminal; silent otherwise.
class ProgressLine {
public:
  explicit ProgressLine(bool wanted) : line_(wanted) {}

  void show(const Progress& progress);
  // Makes room for other text; the next show() writes at once.
  void clear() { line_.clear(); }

private:
  TerminalLine line_;
};

} // namespace tmd
