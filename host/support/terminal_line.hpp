// A line on the terminal that is rewritten as work goes on.
#pragma once

#include <chrono>
#include <string_view>

#include <unistd.h>

namespace tmd::support {

// Silent without a terminal. The destructor clears the line.
class TerminalLine {
public:
  // Also silent unless `wanted`. `descriptor`: the terminal's.
  explicit TerminalLine(bool wanted = true, int descriptor = STDERR_FILENO);
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;
  ~TerminalLine() { clear(); }

  [[nodiscard]] bool active() const { return active_; }
  // Whether it is time for a new text: five times a second, which is as fast as it can be read.
  [[nodiscard]] bool due() const;
  // Replaces the text, cut to the terminal's width.
  void show(std::string_view text);
  // Makes room for other text; show() is due again.
  void clear();

private:
  void write(std::string_view text) const;

  int descriptor_;
  bool active_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

} // namespace tmd::support
