// A function of a math library, called in the types of C under every rounding direction, or a device's own. A library
// or a driver may crash or hang: it is called in a process of its own, which is started again behind the call that
// ended it.
#pragma once

#include "library/called_function.hpp"
#include "support/child_process.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmd::library {

class LibraryProcess : public CalledFunction {
public:
  struct Manner {
    std::size_t size = 0;  // bytes of an argument
    std::size_t lanes = 1; // arguments of a call
    bool nearest_only = false;
    bool is_device = false; // a driver makes all calls of a block together: which ones do not return is found by halves
    std::chrono::milliseconds patience{};                               // for a call
    std::size_t operands = 1;                                           // of the function, 1 or 2
    std::chrono::milliseconds load_patience = std::chrono::seconds(60); // for the library, or the device's program
  };

  // program, arguments: what calls serve_library() or serve_built_in() with descriptors 3 and 4.
  LibraryProcess(std::string program, std::vector<std::string> arguments, Manner manner);

  [[nodiscard]] const SharedCalls& block() const override { return block_; }
  [[nodiscard]] bool rounds(Direction direction) const override {
    return !manner_.nearest_only || direction == Direction::nearest;
  }
  // Throws UsageError when the library or its symbol cannot be loaded, DeviceError when a device fails.
  [[nodiscard]] std::vector<LostCall> call(std::size_t count, std::size_t most) override;

private:
  void start();
  // Makes calls from `first` on; how that one ended which did not return.
  [[nodiscard]] std::optional<LibraryAnswer> call_from(std::uint64_t first);

  std::string program_;
  std::vector<std::string> arguments_;
  Manner manner_;
  SharedCalls block_;
  support::Descriptor output_; // a file in memory
  support::Descriptor channel_;
  std::string text_; // that has come through it
  std::optional<support::ChildProcess> child_;
};

} // namespace tmd::library
