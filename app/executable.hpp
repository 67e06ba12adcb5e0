// The common main() of `tmd` and `tmd-lab`: a word of the command line selects a command, and every failure becomes one
// sentence and the documented exit status.
#pragma once

#include "commands.hpp"

#include <span>
#include <string_view>

namespace tmd::app {

struct Executable {
  std::string_view name;
  std::string_view word; // what commands are called in messages
  std::string_view help;
  std::span<const Command> commands;
};

// Returns the exit status.
[[nodiscard]] int run_executable(const Executable& program, int argc, char** argv);

} // namespace tmd::app
