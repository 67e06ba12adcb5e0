// Texts that are handed on piece by piece, because they may be larger than memory is to hold.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace tmd::support {

// Takes a text, piece by piece.
using TextSink = std::function<void(std::string_view)>;
// Hands a text to a sink, piece by piece.
using TextSource = std::function<void(const TextSink&)>;

// The text, which must outlive it, in one piece.
[[nodiscard]] TextSource source_of(std::string_view text);

// A line without its end.
struct Line {
  std::string_view text;
  std::size_t number = 0; // counted from 1
  bool has_end = false;   // only the last may have none
};

// Calls `use` for every line, one after the other.
void each_line(const TextSource& text, const std::function<void(const Line&)>& use);

// Whether there is such a line; what stands behind it is not read.
[[nodiscard]] bool any_line(const TextSource& text, const std::function<bool(const Line&)>& is_such);

} // namespace tmd::support
