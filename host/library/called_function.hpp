// Who computes a function's results for a block of arguments, whatever stands behind it: a shared library in a process
// of its own, another program, a device. Those who choose arguments and judge results know no more of it.
#pragma once

#include "library/shared_calls.hpp"
#include "tmd/direction.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tmd::library {

struct LibraryAnswer {
  enum class Kind { returned, crashed, hung, unreadable, changed_environment, wrote_output, not_called };
  Kind kind = Kind::returned;
  std::string text; // what it returned, as to_hex() writes it; or what it did instead, or besides
};

// What a note says, a sentence for each of its bits.
[[nodiscard]] std::vector<LibraryAnswer> answers_of_note(std::uint8_t note);

// A call of a block that did not return.
struct LostCall {
  std::size_t index = 0; // of its argument
  Direction direction = Direction::nearest;
  LibraryAnswer answer;
};

class CalledFunction {
public:
  static constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

  CalledFunction() = default;
  CalledFunction(const CalledFunction&) = delete;
  CalledFunction& operator=(const CalledFunction&) = delete;
  virtual ~CalledFunction() = default;

  // Where arguments are put, and results and notes are found.
  [[nodiscard]] virtual const SharedCalls& block() const = 0;

  // Whether it is called in that direction. In others there are no results.
  [[nodiscard]] virtual bool rounds(Direction /*direction*/) const { return true; }

  // Makes the calls for the first `count` arguments of the block; those that did not return. After more than `most` of
  // them the rest is not called. Throws UsageError when there is no such function.
  [[nodiscard]] virtual std::vector<LostCall> call(std::size_t count, std::size_t most) = 0;
};

// One for each thread that calls.
using MakeCalledFunction = std::function<std::unique_ptr<CalledFunction>()>;

} // namespace tmd::library
