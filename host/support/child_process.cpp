#include "support/child_process.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd::support {

namespace {

constexpr std::size_t most_errors = 1 << 20; // bytes; a compiler's messages follow the sentence
constexpr int not_executed = 127;            // the status that shells use

// Runs between fork() and exec(): system calls only. `sources` become the descriptors 0, 1, 2, …
[[noreturn]] void become(const char* program, char* const* arguments, pid_t parent, std::span<int> sources) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) // the parent ended before the call
    ::_exit(not_executed);
  ::setpgid(0, 0);
  // A source may have the number of another's target: all are moved beyond these numbers first.
  for (int& source : sources)
    source = ::fcntl(source, F_DUPFD_CLOEXEC, static_cast<int>(sources.size()));
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (sources[i] < 0 || ::dup2(sources[i], static_cast<int>(i)) < 0)
      ::_exit(not_executed);
  ::execv(program, arguments);
  ::_exit(not_executed);
}

} // namespace

std::string ProcessEnd::sentence() const {
  return signalled ? fmt::format("it was ended by signal {} ({})", number, ::strsignal(number))
                   : fmt::format("it ended with status {}", number);
}

ChildProcess::ChildProcess(const std::string& program, std::vector<std::string> arguments,
                           const ChildStreams& streams) {
  const auto cannot = [](int error) {
    throw DeviceError(fmt::format("cannot start a process of its own: {}", std::strerror(error)));
  };
  const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null.is_open())
    cannot(errno);
  PipeEnds errors = make_pipe();
  const auto source = [&](int number) { return number < 0 ? null.number() : number; };
  std::vector<int> sources{source(streams.input), source(streams.output), errors.in.number()};
  for (const int number : streams.extra)
    sources.push_back(source(number));
  std::string name = program == this_program ? "tmd" : program;
  std::vector<char*> pointers{name.data()};
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);

  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0)
    become(program.c_str(), pointers.data(), parent, sources);
  if (process_ < 0)
    cannot(errno);
  ::setpgid(process_, process_); // both processes set it: whichever comes first
  error_pipe_ = std::move(errors.out);
}

bool ChildProcess::read(Descriptor& channel, std::string& text, std::chrono::milliseconds patience) {
  // poll() ignores negative numbers, which closed descriptors have.
  std::array<pollfd, 2> waiting{{{channel.number(), POLLIN, 0}, {error_pipe_.number(), POLLIN, 0}}};
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(patience.count())) <= 0)
    return false;
  if (waiting[0].revents != 0)
    channel.read(text);
  if (waiting[1].revents != 0)
    keep_errors();
  return true;
}

void ChildProcess::keep_errors() {
  error_pipe_.read(errors_);
  if (errors_.size() > most_errors)
    errors_.erase(0, errors_.size() - most_errors);
}

std::optional<ProcessEnd> ChildProcess::wait(std::chrono::milliseconds patience) {
  using namespace std::chrono_literals;
  for (auto waited = 0ms; !end_; waited += 10ms) {
    int status = 0;
    const pid_t result = ::waitpid(process_, &status, WNOHANG);
    if (result == process_)
      end_ = WIFSIGNALED(status) ? ProcessEnd{true, WTERMSIG(status)} : ProcessEnd{false, WEXITSTATUS(status)};
    else if (result < 0 && errno != EINTR) // another caller has waited: the status is not known, and must not pass for
                                           // success
      end_ = ProcessEnd{false, not_executed};
    else if (waited >= patience)
      break;
    else
      ::poll(nullptr, 0, 10);
  }
  // The child's own children may hold the pipe open: only what is there is read.
  Descriptor none;
  std::string nothing;
  while (error_pipe_.is_open() && read(none, nothing, 0ms))
    ;
  return end_;
}

void ChildProcess::kill() {
  using namespace std::chrono_literals;
  if (end_)
    return;
  ::kill(-process_, SIGKILL);
  (void)wait(10s);
}

std::string ChildProcess::last_words() const {
  constexpr std::size_t most = 2000; // bytes
  std::string text = errors_.substr(errors_.size() - std::min(errors_.size(), most));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  text = text.substr(text.rfind('\n') + 1); // all of the text if it is one line
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; }, '?');
  return text;
}

} // namespace tmd::support
