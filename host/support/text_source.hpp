// Texts passed on piece by piece, because they may be larger than memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace tmd::support {

// Takes a text, piece by piece.
using TextSink = std::function<void(std::string_view)>;
// Hands a text to a sink, piece by piece.
using TextSource = std::function<void(const TextSink&)>;

// The text in one piece; it must outlive the source.
[[nodiscard]] TextSource source_of(std::string_view text);

// A line without its end.
struct Line {
  std::string_view text;
  std::size_t number = 0; // counted from 1
  bool has_end = false;   // only the last line may lack it
};

// Calls `use` for every line, one after the other.
void each_line(const TextSource& text, const std::function<void(const Line&)>& use);

// Whether any line satisfies `is_such`; lines after it are not read.
[[nodiscard]] bool any_line(const TextSource& text, const std::function<bool(const Line&)>& is_such);

} // namespace tmd::support
