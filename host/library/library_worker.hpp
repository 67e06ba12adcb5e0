// The process that calls a math library: a crash of the library ends this process, not the one that judges.
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

// The protocol, a line for each message: the worker sends `ready`, or a sentence after `worker_refuses`. Then its owner
// sends the number of the first call to make in the shared block, and the worker answers when all calls are done. If
// its device fails, the worker says so after `worker_fails`.
inline constexpr std::string_view worker_is_ready = "ready";
inline constexpr std::string_view worker_is_done = "done";
inline constexpr char worker_refuses = '!';
inline constexpr char worker_fails = '?';

// Moves a line out of the text received through a channel; false if no complete line is there yet.
[[nodiscard]] bool take_line(std::string& text, std::string& line);

// Makes the calls of the block from a number on.
using RunCalls = std::function<void(std::uint64_t first)>;

// Runs the worker's side of the protocol until the channel is closed. begin: throws UsageError for whatever is refused.
// It and the runs throw DeviceError if a device fails.
void serve_blocks(support::Descriptor& channel, const std::function<RunCalls()>& begin);

struct ServedFunction {
  std::string library;
  std::string symbol;
  Format format;
  // Whether exception flags and errno are cleared before each call and read after it. That takes as long as a fast
  // function.
  bool flags = false;
  Returned returned = Returned::value;
  std::size_t lanes = 1;    // lanes of a vector function (vector_call.hpp), else 1
  std::size_t operands = 1; // 2 for a function of two variables
};

// Loads the library and calls its function block by block, until the channel is closed. Standard output must be a file
// that nothing else writes to: the library's output there is noticed and discarded.
void serve_library(const ServedFunction& served, support::Descriptor channel, support::Descriptor memory);

} // namespace tmd::library
