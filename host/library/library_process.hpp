// A function of a math library, called in the types of C under every rounding direction. A library may crash or hang:
// it is called in a process of its own, which is started again behind the call that ended it.
#pragma once

#include "format/argument.hpp"
#include "library/shared_calls.hpp"
#include "support/child_process.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmd {

struct LibraryCall {
  Argument x;
  Direction direction = Direction::nearest;
};

struct LibraryAnswer {
  enum class Kind { returned, crashed, hung, changed_environment, wrote_output };
  Kind kind = Kind::returned;
  std::string text; // what it returned, as to_hex() writes it; or what it did instead, or besides
};

// A call of a block that did not return.
struct LostCall {
  std::size_t index = 0; // of its argument
  Direction direction = Direction::nearest;
  LibraryAnswer answer;
};

// What a note says, a sentence for each of its bits.
[[nodiscard]] std::vector<LibraryAnswer> answers_of_note(std::uint8_t note);

class LibraryProcess {
public:
  // program, arguments: what calls serve_library() with descriptors 3 and 4. size: bytes of an argument. patience: for
  // one call.
  LibraryProcess(std::string program, std::vector<std::string> arguments, std::size_t size,
                 std::chrono::milliseconds patience);

  // Where arguments are put and results are found.
  [[nodiscard]] const SharedCalls& block() const { return block_; }

  // Makes the calls for the first `count` arguments of the block; those that did not return. After more than `most` of
  // them the rest is not called. Throws UsageError when the library or its symbol cannot be loaded.
  [[nodiscard]] std::vector<LostCall> call(std::size_t count,
                                           std::size_t most = std::numeric_limits<std::size_t>::max());

private:
  void start();
  [[nodiscard]] std::string line();
  // Makes calls from `first` on; how that one ended which did not return.
  [[nodiscard]] std::optional<LibraryAnswer> call_from(std::uint64_t first);

  std::string program_;
  std::vector<std::string> arguments_;
  std::chrono::milliseconds patience_;
  SharedCalls block_;
  Descriptor output_; // a file in memory
  Descriptor channel_;
  std::string text_; // that has come through it
  std::optional<ChildProcess> child_;
};

} // namespace tmd
