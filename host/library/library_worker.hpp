// The process that calls a math library: what the library does to a process does nothing to ours.
#pragma once

#include "support/descriptor.hpp"
#include "tmd/format.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tmd {

// What the two processes say to each other, a line each: the worker that it is ready, or instead of that a sentence
// behind `worker_refuses`; then the other which call of the shared block is the first to do, and the worker that all
// are done.
inline constexpr std::string_view worker_is_ready = "ready";
inline constexpr std::string_view worker_is_done = "done";
inline constexpr char worker_refuses = '!';

// Takes a line from what has come through a channel; false when there is no whole one yet.
[[nodiscard]] bool take_line(std::string& text, std::string& line);

struct ServedFunction {
  std::string library;
  std::string symbol;
  Format format;
  // Whether exception flags and errno are cleared before each call and read after it, which takes as long as a fast
  // function.
  bool flags = false;
  std::size_t lanes = 1;    // of a function of vectors (vector_call.hpp)
  std::size_t operands = 1; // 2: of a function of two variables
};

// Loads the library and calls its function for block after block, until the channel is closed. Standard output must be
// a file that nobody else writes to: what the library writes there is found, and thrown away.
void serve_library(const ServedFunction& served, Descriptor channel, Descriptor memory);

} // namespace tmd
