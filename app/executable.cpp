#include "executable.hpp"

#include "interrupt.hpp"
#include "result/program.hpp"
#include "standard_streams.hpp"
#include "support/text.hpp"
#include "support/write_error.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

const Command* find_command(const Executable& program, std::string_view name) {
  for (const Command& command : program.commands)
    if (command.name == name)
      return &command;
  return nullptr;
}

UsageError unknown_command(const Executable& program, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Command& command : program.commands)
    names.push_back(command.name);
  return UsageError(fmt::format("unknown {} '{}'{}", program.word, name, support::did_you_mean(name, names)));
}

// `tmd help search` is `tmd search --help`.
int help_of(const Executable& program, const Arguments& words) {
  const Command* command = find_command(program, words.front());
  if (command == nullptr)
    throw unknown_command(program, words.front());
  Arguments rest{words.begin() + 1, words.end()};
  rest.emplace_back("--help");
  return command->run(rest);
}

int dispatch(const Executable& program, const Arguments& arguments) {
  if (arguments.empty())
    throw UsageError(fmt::format("no {} given", program.word));
  const std::string& name = arguments.front();
  const Arguments rest{arguments.begin() + 1, arguments.end()};
  if (const Command* command = find_command(program, name))
    return command->run(rest);
  const bool wants_help = name == "--help" || name == "-h" || name == "help";
  if (wants_help && !rest.empty())
    return help_of(program, rest);
  if (!wants_help && name != "--version")
    throw unknown_command(program, name);
  if (!rest.empty())
    throw UsageError(fmt::format("unexpected argument '{}'", rest.front()));
  if (wants_help)
    fmt::print("{}", program.help);
  else
    fmt::print("{} {}\n", program.name, result::version_text());
  return static_cast<int>(Status::done);
}

int fail(const Executable& program, const std::exception& error, const Arguments& arguments) {
  const Failure failure = failure_of(error);
  const bool usage = failure.status == Status::usage;
  fmt::print(stderr, "tmd: {}\n", usage ? support::as_sentence(failure.sentence) : failure.sentence);
  if (usage && dynamic_cast<const support::WriteError*>(&error) == nullptr) {
    const Command* command = arguments.empty() ? nullptr : find_command(program, arguments.front());
    fmt::print(stderr, "Try `{} {}--help`.\n", program.name,
               command != nullptr ? fmt::format("{} ", command->name) : "");
  }
  return static_cast<int>(failure.status);
}

} // namespace

int run_executable(const Executable& program, int argc, char** argv) {
  end_at_interrupts();
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN); // a file that would exceed `ulimit -f` becomes an error of that write
  std::signal(SIGCHLD, SIG_DFL); // a parent that ignores it would hide how children end
  const Arguments arguments(argv + std::min(argc, 1), argv + argc);
  try {
    try {
      const int status = dispatch(program, arguments);
      flush_output();
      allow_exit();
      return status;
    } catch (const std::system_error& error) { // thrown by fmt if it cannot write
      flush_output(error.code().value());
      throw;
    }
  } catch (const std::exception& error) {
    allow_exit();
    return fail(program, error, arguments);
  }
}

} // namespace tmd::app
