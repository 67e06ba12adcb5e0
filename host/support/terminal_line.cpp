#include "support/terminal_line.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>

#include <sys/ioctl.h>

#include <fmt/format.h>

namespace tmd::support {

namespace {

constexpr std::string_view clear_to_end = "\033[K";

// Whether the terminal understands the sequence that clears a line.
bool can_rewrite() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) != "dumb";
}

// A line that wraps could not be cleared. Letters beyond ASCII are counted as their bytes.
std::string cut_to_width(std::string_view text, int descriptor) {
  constexpr std::string_view ellipsis = "…";
  constexpr std::size_t columns_of_ellipsis = 1;
  winsize size{};
  const std::size_t columns = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  if (columns <= columns_of_ellipsis || text.size() < columns) // 0: not known
    return std::string(text);
  std::size_t end = columns - 1 - columns_of_ellipsis;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) // inside a letter
    --end;
  return fmt::format("{}{}", text.substr(0, end), ellipsis);
}

} // namespace

TerminalLine::TerminalLine(bool wanted, int descriptor)
    : descriptor_(descriptor), active_(wanted && ::isatty(descriptor) == 1 && can_rewrite()) {}

bool TerminalLine::due() const {
  using namespace std::chrono_literals;
  return active_ && (!shown_ || std::chrono::steady_clock::now() - last_ >= 200ms);
}

void TerminalLine::show(std::string_view text) {
  if (!active_)
    return;
  last_ = std::chrono::steady_clock::now();
  shown_ = true;
  write(fmt::format("\r{}{}", cut_to_width(text, descriptor_), clear_to_end));
}

void TerminalLine::clear() {
  if (shown_)
    write(fmt::format("\r{}", clear_to_end));
  shown_ = false;
}

void TerminalLine::write(std::string_view text) const {
  // If the terminal is gone, the text may be lost.
  [[maybe_unused]] const ssize_t written = ::write(descriptor_, text.data(), text.size());
}

} // namespace tmd::support
