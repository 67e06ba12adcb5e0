// tmd: parses the subcommand, dispatches, and turns every failure into one sentence and the documented exit status.
#include "commands.hpp"

#include "error.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <string_view>

#include <fmt/format.h>

namespace {

constexpr std::string_view help = R"(tmd solves the Table Maker's Dilemma with OpenCL: it finds every argument at which a function comes so close to a
rounding breakpoint that a math library could round it wrongly.

usage: tmd COMMAND [OPTION ...]

commands:
  search FUNCTION   find every hard-to-round case in a range
  devices           list the OpenCL devices
  bench WHAT        device micro-benchmarks: phase1, divergence

`tmd COMMAND --help` explains a command. `tmd --version` prints the version.

exit status: 0 done, 2 usage, 3 no usable device or a device failed, 4 a soundness check failed, 130 interrupted

example: every case of exp on [1, 1 + 2^-13) closer than 2^-33 ulp to a representable number
  tmd search exp --from 1 --to 0x1.0008p+0 --argument-precision 54 --rounding directed --bits 33
)";

struct Command {
  std::string_view name;
  int (*run)(const tmd::app::Arguments&);
};

constexpr std::array<Command, 3> commands{
    {{"search", tmd::app::search}, {"devices", tmd::app::devices}, {"bench", tmd::app::bench}}};

int dispatch(const tmd::app::Arguments& arguments) {
  if (arguments.empty())
    throw tmd::UsageError("no command given");
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    fmt::print("{}", help);
    return 0;
  }
  if (name == "--version") {
    fmt::print("tmd {}\n", TMD_VERSION);
    return 0;
  }
  const auto* command =
      std::find_if(commands.begin(), commands.end(), [&](const Command& candidate) { return candidate.name == name; });
  if (command == commands.end())
    throw tmd::UsageError(fmt::format("unknown command '{}'", name));
  return command->run({arguments.begin() + 1, arguments.end()});
}

} // namespace

int main(int argc, char** argv) {
  try {
    return dispatch({argv + 1, argv + argc});
  } catch (const tmd::Error& error) {
    fmt::print(stderr, "tmd: {}\n", error.what());
    if (error.status() == tmd::Status::usage)
      fmt::print(stderr, "Try `tmd --help`.\n");
    return static_cast<int>(error.status());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "tmd: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "tmd: internal error, please report it: {}\n", error.what());
  }
  return static_cast<int>(tmd::Status::unsound);
}
