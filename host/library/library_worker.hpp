// The process that calls a math library: what the library does to a process does nothing to ours.
#pragma once

#include "library/returned.hpp"
#include "support/descriptor.hpp"
#include "tmd/format.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace tmd::library {

// What the two processes say to each other, a line each: the worker that it is ready, or instead of that a sentence
// behind `worker_refuses`; then the other which call of the shared block is the first to do, and the worker that all
// are done. Where its device fails, now or then, it says so behind `worker_fails`.
inline constexpr std::string_view worker_is_ready = "ready";
inline constexpr std::string_view worker_is_done = "done";
inline constexpr char worker_refuses = '!';
inline constexpr char worker_fails = '?';

// Takes a line from what has come through a channel; false when there is no whole one yet.
[[nodiscard]] bool take_line(std::string& text, std::string& line);

// What makes the calls of the block from a number on.
using RunCalls = std::function<void(std::uint64_t first)>;

// The worker's part of that, until the channel is closed. begin: throws UsageError for what is refused; it and the runs
// throw DeviceError for a device that fails.
void serve_blocks(support::Descriptor& channel, const std::function<RunCalls()>& begin);

struct ServedFunction {
  std::string library;
  std::string symbol;
  Format format;
  // Whether exception flags and errno are cleared before each call and read after it, which takes as long as a fast
  // function.
  bool flags = false;
  Returned returned = Returned::value;
  std::size_t lanes = 1;    // of a function of vectors (vector_call.hpp)
  std::size_t operands = 1; // 2: of a function of two variables
};

// Loads the library and calls its function for block after block, until the channel is closed. Standard output must be
// a file that nobody else writes to: what the library writes there is found, and thrown away.
void serve_library(const ServedFunction& served, support::Descriptor channel, support::Descriptor memory);

} // namespace tmd::library
