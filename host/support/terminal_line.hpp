// A line on the terminal that is rewritten while something is at work.
#pragma once

#include <chrono>
#include <string_view>

#include <unistd.h>

namespace tmd::support {

// Silent where there is no terminal. Clears its line when it goes.
class TerminalLine {
public:
  // Silent, too, unless it is wanted. `descriptor`: the terminal's.
  explicit TerminalLine(bool wanted = true, int descriptor = STDERR_FILENO);
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;
  ~TerminalLine() { clear(); }

  [[nodiscard]] bool active() const { return active_; }
  // Whether a text is worth making: for what changes faster than it can be read, five times a second.
  [[nodiscard]] bool due() const;
  // Puts the text in the place of the one before, cut to the terminal's width.
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
