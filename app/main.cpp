// tmd: parses the subcommand, dispatches, and turns every failure into one sentence and the documented exit
// status.
#include "commands.hpp"
#include "interrupt.hpp"
#include "standard_streams.hpp"
#include "support/text.hpp"
#include "support/write_error.hpp"
#include "tmd/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <system_error>

namespace tmd::app {

namespace {

constexpr std::string_view help =
    R"(tmd solves the Table Maker's Dilemma with OpenCL: it finds every argument at which a function comes so close to a
rounding breakpoint that a math library could round it wrongly.

usage: tmd COMMAND [OPTION ...]

commands:
  search FUNCTION   find every hard-to-round case in a range
  resume JOURNAL    go on with a search that was interrupted
  status JOURNAL    say how far a search is, also while it runs
  merge RESULT ...  put searches of parts of one job together
  show FUNCTION X   show a value around the bits that decide how it is rounded
  libm FUNCTION [LIST]
                    put a math library to the test at a list of arguments, or at hard cases
  check FUNCTION LIST
                    check a list of cases, and whether any is missing
  plot RESULT       draw the cases of a search, by their bits and over the range
  verify RESULT     check a result of a search, believing nothing in it
  functions         list the functions that can be searched
  run JOBS.toml     run the searches of a job file, those that are not done yet
  publish RESULT ...
                    add results to a folder of pages and lists
  devices           list the OpenCL devices
  doctor            look whether everything that a search needs is in place, and say what to do
  compare           time one search over devices, algorithms and CPU modes
  tune              find what suits a device best, and write it into a profile
  bench WHAT        device micro-benchmarks: phase1, polynomials, divergence, wide, phase, division, dispatch

`tmd COMMAND --help` explains a command and lists its options. `tmd --version` says version, commit and kernels.

exit status: 0 done, 2 usage, 3 no usable device, a device failed or memory ran out, 4 a soundness check failed,
             130 interrupted

example: every case of exp on [1, 1 + 2^-13) closer than 2^-33 ulp to a representable number
  tmd search exp --from 1 --to 0x1.0008p+0 --argument-precision 54 --rounding directed --bits 33
)";

constexpr std::array<Command, 18> command_table{
    {{"search", search, "find every hard-to-round case in a range", search_options},
     {"resume", resume, "go on with a search that was interrupted", resume_options},
     {"status", status, "say how far a search is, also while it runs", status_options},
     {"merge", merge, "put searches of parts of one job together", merge_options},
     {"show", show, "show a value around the bits that decide how it is rounded", show_options},
     {"libm", libm, "put a math library to the test at a list of arguments", libm_options},
     {"check", check, "check a list of cases, and whether any is missing", check_options},
     {"verify", verify, "check a result of a search, believing nothing in it", verify_options},
     {"plot", plot, "draw the cases of a search", plot_options},
     {"functions", functions, "list the functions that can be searched", functions_options},
     {"run", run, "run the searches of a job file", run_options},
     {"publish", publish, "add results to a folder of pages and lists", publish_options},
     {"devices", devices, "list the OpenCL devices", devices_options},
     {"doctor", doctor, "look whether everything is in place", doctor_options},
     {"compare", compare, "time one search over devices, algorithms and CPU modes", compare_options},
     {"tune", tune, "find what suits a device best", tune_options},
     {"bench", bench, "device micro-benchmarks"},
     {"completions", completions, ""}}};

const Command* find_command(std::string_view name) {
  const auto* found = std::find_if(command_table.begin(), command_table.end(),
                                   [&](const Command& command) { return command.name == name; });
  return found == command_table.end() ? nullptr : found;
}

UsageError unknown_command(const std::string& name) {
  std::array<std::string_view, command_table.size()> names;
  std::transform(command_table.begin(), command_table.end(), names.begin(),
                 [](const Command& command) { return command.name; });
  return UsageError(fmt::format("unknown command '{}'{}", name, did_you_mean(name, names)));
}

// `tmd help bench wide` is `tmd bench wide --help`.
int help_of(const Arguments& words) {
  const Command* command = find_command(words.front());
  if (command == nullptr)
    throw unknown_command(words.front());
  Arguments rest{words.begin() + 1, words.end()};
  rest.emplace_back("--help");
  return command->run(rest);
}

int dispatch(const Arguments& arguments) {
  if (arguments.empty())
    throw UsageError("no command given");
  const std::string& name = arguments.front();
  const Arguments rest{arguments.begin() + 1, arguments.end()};
  if (const Command* command = find_command(name))
    return command->run(rest);
  const bool wants_help = name == "--help" || name == "-h" || name == "help";
  if (wants_help && !rest.empty())
    return help_of(rest);
  if (!wants_help && name != "--version")
    throw unknown_command(name);
  if (!rest.empty())
    throw UsageError(fmt::format("unexpected argument '{}'", rest.front()));
  if (wants_help)
    fmt::print("{}", help);
  else
    fmt::print("tmd {}\n", version_text());
  return static_cast<int>(Status::done);
}

int fail(const std::exception& error, const Arguments& arguments) {
  const Failure failure = failure_of(error);
  const bool usage = failure.status == Status::usage;
  fmt::print(stderr, "tmd: {}\n", usage ? on_one_line(failure.sentence) : failure.sentence);
  if (usage && dynamic_cast<const WriteError*>(&error) == nullptr) {
    const Command* command = arguments.empty() ? nullptr : find_command(arguments.front());
    fmt::print(stderr, "Try `tmd {}--help`.\n", command != nullptr ? fmt::format("{} ", command->name) : "");
  }
  return static_cast<int>(failure.status);
}

} // namespace

std::span<const Command> commands() { return command_table; }

} // namespace tmd::app

int main(int argc, char** argv) {
  tmd::app::end_at_interrupts();
  tmd::app::open_standard_streams();
  std::signal(SIGCHLD, SIG_DFL); // who starts this program may ignore it, and how a child ends would not be known then
  const tmd::app::Arguments arguments(argv + std::min(argc, 1), argv + argc);
  try {
    try {
      const int status = tmd::app::dispatch(arguments);
      tmd::app::flush_output();
      return status;
    } catch (const std::system_error& error) { // fmt's way of saying that it could not write
      tmd::app::flush_output(error.code().value());
      throw;
    }
  } catch (const std::exception& error) {
    return tmd::app::fail(error, arguments);
  }
}
