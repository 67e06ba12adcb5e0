// The input is a file in memory, so that only the output has to be waited for. Where a line fails to come, fewer
// numbers are asked for at once, until it is known which one fails.
#include "library/command_process.hpp"

#include "library/c_type.hpp"
#include "library/library_worker.hpp"
#include "support/child_process.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tmd::library {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t most_shown = 60;     // of a line that is no number
constexpr std::size_t most_line = 1 << 16; // bytes, of more than any number has

// The types that numbers are written and read in; binary16 is exact in float.
template <typename Real> auto widened(Real x) {
  if constexpr (sizeof(Real) < sizeof(float))
    return static_cast<float>(x);
  else
    return x;
}

template <typename Real> Real read_number(const char* text, char** end) {
  if constexpr (sizeof(Real) > sizeof(double))
    return std::strtold(text, end);
  else if constexpr (sizeof(Real) == sizeof(double))
    return std::strtod(text, end);
  else
    return static_cast<Real>(std::strtof(text, end));
}

// What is written there is read by a child from its beginning.
support::Descriptor file_of(const std::string& text) {
  support::Descriptor file(::memfd_create("tmd-input", MFD_CLOEXEC));
  if (!file.is_open() || !file.write(text) || ::lseek(file.number(), 0, SEEK_SET) != 0)
    throw DeviceError("no memory for what a command is to read");
  return file;
}

// A shell ends with 128 and the number of the signal that ended its command.
std::string ending(const support::ChildProcess& child, support::ProcessEnd end) {
  constexpr int by_signal = 128;
  constexpr int most_signals = 64;
  if (!end.signalled && end.number > by_signal && end.number <= by_signal + most_signals)
    end = {true, end.number - by_signal};
  const std::string words = child.last_words();
  return end.signalled || words.empty() ? end.sentence() : fmt::format("{}: {}", end.sentence(), words);
}

} // namespace

CommandProcess::CommandProcess(std::string command, Format format, bool takes_directions,
                               std::chrono::milliseconds patience)
    : command_(std::move(command)), format_(std::move(format)), takes_directions_(takes_directions),
      patience_(patience), block_(with_c_type(format_, [](auto zero) { return sizeof zero; })) {}

std::string CommandProcess::input(Direction direction, std::size_t first, std::size_t count) const {
  std::string text;
  with_c_type(format_, [&](auto zero) {
    using Real = decltype(zero);
    for (std::size_t i = first; i < first + count; ++i) {
      text += fmt::format("{:a}", widened(block_.arguments<Real>()[i]));
      if (takes_directions_)
        text.append(" ").append(to_string(direction));
      text += '\n';
    }
  });
  return text;
}

bool CommandProcess::take(const std::string& line, Direction direction, std::size_t index) const {
  return with_c_type(format_, [&](auto zero) {
    using Real = decltype(zero);
    char* end = nullptr;
    block_.results<Real>(direction)[index] = read_number<Real>(line.c_str(), &end);
    const bool is_read = end != line.c_str();
    while (std::isspace(static_cast<unsigned char>(*end)) != 0)
      ++end;
    return is_read && *end == '\0';
  });
}

CommandProcess::Answered CommandProcess::ask(Direction direction, std::size_t first, std::size_t count) const {
  using Kind = LibraryAnswer::Kind;
  const support::Descriptor file = file_of(input(direction, first, count));
  support::PipeEnds pipe = support::make_pipe();
  support::ChildProcess child("/bin/sh", {"-c", command_}, {file.number(), pipe.in.number(), {}});
  pipe.in.close();
  Answered answered;
  std::string text;
  std::string line;
  for (auto last = Clock::now(); pipe.out.is_open();) {
    const std::size_t before = text.size();
    (void)child.read(pipe.out, text, 50ms); // what it writes to stderr is no result
    if (text.size() != before)
      last = Clock::now();
    else if (pipe.out.is_open() && Clock::now() - last > patience_)
      return {answered.count, {Kind::hung, "it did not return"}};
    if (!pipe.out.is_open() && !text.empty() && text.back() != '\n')
      text += '\n'; // the last line of all need not have an end
    while (take_line(text, line)) {
      if (answered.count == count)
        return {0, {Kind::unreadable, "it wrote more lines than it was given"}};
      if (!take(line, direction, first + answered.count))
        return {answered.count,
                {Kind::unreadable, fmt::format("it wrote '{}'", support::on_one_line(line).substr(0, most_shown))}};
      ++answered.count;
    }
    if (text.size() > most_line)
      return {answered.count, {Kind::unreadable, "it wrote a line that does not end"}};
  }
  if (answered.count == count)
    return answered;
  constexpr int not_executable = 126; // as the shell has it; and 127 where there is no such program
  const auto end = child.wait(patience_);
  if (!end)
    return {answered.count, {Kind::hung, "it did not end"}};
  if (answered.count == 0 && !end->signalled && (end->number == not_executable || end->number == not_executable + 1))
    throw UsageError(fmt::format("cannot run the command: {}", ending(child, *end)));
  answered.failure = {Kind::crashed, end->done() ? "it ended without a result" : ending(child, *end)};
  return answered;
}

std::vector<LostCall> CommandProcess::call(std::size_t count, std::size_t most) {
  std::vector<LostCall> lost;
  for (const Direction direction : directions) {
    std::size_t size = count; // to be asked for next
    std::size_t hint = 0;     // of a failure: before so many it did not happen, if no line was missing
    for (std::size_t first = 0; first < count && rounds(direction) && lost.size() <= most;) {
      const std::size_t asked = std::min(size, count - first);
      const Answered answered = ask(direction, first, asked);
      if (answered.count == asked) {
        first += asked;
        size = asked == hint ? 1 : 2 * asked;
        hint = 0;
      } else if (asked == 1) {
        lost.push_back({first++, direction, answered.failure});
      } else {
        hint = answered.count;
        size = std::max<std::size_t>(hint, 1);
      }
    }
  }
  return lost;
}

} // namespace tmd::library
