// The interface of a function under test: it computes results for a block of arguments. Behind it is a shared library
// in its own process, another program, or a device; the code that chooses arguments and judges results does not know
// which.
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
  std::string text; // the result, as to_hex() writes it; or a sentence about what the call did instead or in addition
};

// The sentences of a note, one for each of its bits.
[[nodiscard]] std::vector<LibraryAnswer> answers_of_note(std::uint8_t note);

// A call of a block that did not return.
struct LostCall {
  std::size_t index = 0; // index of its argument
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

  // The memory for arguments, results and notes.
  [[nodiscard]] virtual const SharedCalls& block() const = 0;

  // Whether the function is called in that direction. Without calls there are no results.
  [[nodiscard]] virtual bool rounds(Direction /*direction*/) const { return true; }

  // Calls the function for the first `count` arguments of the block and returns the calls that did not return. After
  // more than `most` of these it stops. Throws UsageError if there is no such function.
  [[nodiscard]] virtual std::vector<LostCall> call(std::size_t count, std::size_t most) = 0;
};

// Makes a function for each thread that calls.
using MakeCalledFunction = std::function<std::unique_ptr<CalledFunction>()>;

} // namespace tmd::library
