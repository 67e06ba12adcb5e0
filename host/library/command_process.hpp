// A program as a function: it reads numbers as C writes them in hexadecimal, a line each, and writes a line for each.
// So what is written in another language, or runs on another machine, is put to the test like a library.
#pragma once

#include "library/called_function.hpp"
#include "support/descriptor.hpp"
#include "tmd/format.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace tmd::library {

// For each block of arguments the command is started anew, so that it may keep its output until its input ends. After
// a crash, a hang or a line that is no number, fewer and fewer arguments are asked for, until it is known at which one
// that happens.
class CommandProcess : public CalledFunction {
public:
  // command: for /bin/sh. takes_directions: each line has the name of a direction behind the number; without, the
  // program rounds to nearest. patience: for a line.
  CommandProcess(std::string command, Format format, bool takes_directions, std::chrono::milliseconds patience);

  [[nodiscard]] const SharedCalls& block() const override { return block_; }
  [[nodiscard]] bool rounds(Direction direction) const override {
    return takes_directions_ || direction == Direction::nearest;
  }
  // Throws UsageError where the shell cannot execute the command.
  [[nodiscard]] std::vector<LostCall> call(std::size_t count, std::size_t most) override;

private:
  // What became of some arguments in a row: how many lines came, and, if not one for each of them, why. Then none of
  // the results counts, for nobody knows which of them was left out.
  struct Answered {
    std::size_t count = 0;
    LibraryAnswer failure;
  };
  [[nodiscard]] std::string input(Direction direction, std::size_t first, std::size_t count) const;
  [[nodiscard]] Answered ask(Direction direction, std::size_t first, std::size_t count) const;
  // Puts a line among the results; false when it is no number.
  [[nodiscard]] bool take(const std::string& line, Direction direction, std::size_t index) const;

  std::string command_;
  Format format_;
  bool takes_directions_;
  std::chrono::milliseconds patience_;
  SharedCalls block_; // this process' alone
};

} // namespace tmd::library
