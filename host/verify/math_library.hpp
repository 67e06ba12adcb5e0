// Functions of a math library, called in the types of C under every rounding direction. A library may crash or hang:
// it is called in a process of its own.
#pragma once

#include "format/argument.hpp"
#include "support/child_process.hpp"
#include "tmd/format.hpp"
#include "verify/rounded_value.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace tmd {

// "expf": what C23 calls a function in the type that has the format. Throws UsageError for a function that C has not,
// and for a format that no type of this compiler has.
[[nodiscard]] std::string c_name(const Function& function, const Format& format);

struct LibraryCall {
  Argument x;
  Direction direction = Direction::nearest;
};

struct LibraryAnswer {
  enum class Kind { returned, crashed, hung };
  Kind kind = Kind::returned;
  std::string text; // what it returned, as to_hex() writes it; or how its process ended
};

// Another process, which answers calls until one of them ends it.
class LibraryProcess {
public:
  // program, arguments: what calls serve_library() with descriptor 3. patience: for one call.
  LibraryProcess(std::string program, std::vector<std::string> arguments, std::chrono::milliseconds patience)
      : program_(std::move(program)), arguments_(std::move(arguments)), patience_(patience) {}

  // An answer for each call, in their order. After a crash or a hang a new process goes on with the call after it.
  // Throws UsageError when the library or its symbol cannot be loaded.
  [[nodiscard]] std::vector<LibraryAnswer> answer(const std::vector<LibraryCall>& calls) const;

private:
  std::string program_;
  std::vector<std::string> arguments_;
  std::chrono::milliseconds patience_;
};

// The other side: loads the library, reads calls from the descriptor and writes an answer to each, until it is closed.
void serve_library(const std::string& library, const std::string& symbol, const Format& format, int descriptor);

} // namespace tmd
