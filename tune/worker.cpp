#include "tune/worker.hpp"

#include "error.hpp"
#include "error.hpp"
#include "tune/trial.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

using Clock = std::chrono::steady_clock;

std::string dump(const Message& message) {
  return message.dump(-1, ' ', true, Message::error_handler_t::replace) + "\n";
}

} // namespace

Worker::Worker(std::vector<std::string> command, double first_seconds)
    : command_(std::move(command)), first_seconds_(first_seconds) {}

void Worker::start() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw DeviceError(fmt::format("cannot start a worker: {}", std::strerror(errno)));
  errors_ = ::memfd_create("worker", MFD_CLOEXEC);
  std::vector<char*> arguments;
  for (std::string& argument : command_)
    arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) {
    // Only what is safe between fork() and exec().
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
      ::_exit(127);
    ::setpgid(0, 0); // a terminal's SIGINT is the parent's alone, and what a compiler starts can be killed too
    ::dup2(ends[1], STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    if (errors_ >= 0)
      ::dup2(errors_, STDERR_FILENO);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
  }
  const int error = errno;
  if (process_ > 0)
    ::setpgid(process_, process_); // whichever comes first
  ::close(ends[1]);
  channel_ = ends[0];
  received_.clear();
  if (process_ < 0) {
    stop();
    throw DeviceError(fmt::format("cannot start a worker: {}", std::strerror(error)));
  }
}

void Worker::stop() {
  if (process_ > 0) {
    ::kill(-process_, SIGKILL);
    // A driver may hold a process until its kernel has finished; then the process is left to end by itself.
    for (int waited = 0; waited < 1000 && ::waitpid(process_, nullptr, WNOHANG) == 0; ++waited)
      ::usleep(10000);
  }
  process_ = -1;
  for (int* descriptor : {&channel_, &errors_}) {
    if (*descriptor >= 0)
      ::close(*descriptor);
    *descriptor = -1;
  }
}

bool Worker::send(const std::string& line) const {
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t count = ::send(channel_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR)
      return false;
    sent += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  return true;
}

std::string Worker::last_words() const {
  std::array<char, 2000> buffer{};
  const off_t end = ::lseek(errors_, 0, SEEK_END);
  const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(buffer.size()));
  const ssize_t size = ::pread(errors_, buffer.data(), buffer.size(), begin);
  std::string text(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  text = text.substr(text.rfind('\n') + 1); // all of it when there is one line
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; }, '?');
  return text;
}

Answer Worker::died() {
  int status = 0;
  std::string how = "it closed its output";
  if (::waitpid(process_, &status, WNOHANG) == process_ ||
      (::usleep(200000), ::waitpid(process_, &status, WNOHANG) == process_)) {
    process_ = -1;
    how = WIFSIGNALED(status) ? fmt::format("it was ended by signal {}", WTERMSIG(status))
                              : fmt::format("it ended with status {}", WEXITSTATUS(status));
  }
  const std::string words = last_words();
  stop();
  return {Answer::Kind::died, {}, words.empty() ? how : fmt::format("{}: {}", how, words)};
}

Answer Worker::ask(const Message& request, const std::function<bool()>& interrupted) {
  if (process_ < 0)
    start();
  std::string step = "starting";
  const auto after = [](double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  };
  auto deadline = after(first_seconds_);
  if (!send(dump(request)))
    return died();
  for (;;) {
    for (auto end = received_.find('\n'); end != std::string::npos; end = received_.find('\n')) {
      const Message message = Message::parse(received_.substr(0, end), nullptr, false);
      received_.erase(0, end + 1);
      if (!message.is_object())
        continue; // some runtimes print
      if (!message.contains("step")) {
        // A driver that failed once may fail in this process for ever.
        if (message.contains("state") && message["state"] == to_string(State::runtime))
          stop();
        return {Answer::Kind::message, message, {}};
      }
      step = message["step"].is_string() ? message["step"].get<std::string>() : "";
      deadline = after(message.contains("allow") && message["allow"].is_number() ? message["allow"].get<double>() : 0);
    }
    if (interrupted && interrupted()) {
      stop();
      throw Interrupted();
    }
    if (Clock::now() > deadline) {
      stop();
      return {Answer::Kind::timeout, {}, fmt::format("{} took too long", step)};
    }
    constexpr int look_around = 50; // milliseconds
    pollfd ready{channel_, POLLIN, 0};
    if (::poll(&ready, 1, look_around) <= 0)
      continue;
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(channel_, buffer.data(), buffer.size());
    if (count > 0)
      received_.append(buffer.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      return died();
  }
}

void serve(const std::function<Message(const Message&, const Announce&)>& respond) {
  // Runtimes that print must not disturb the answers.
  const int answers = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const auto write = [&](const Message& message) {
    const std::string line = dump(message);
    if (::write(answers, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      throw DeviceError("the tuning that this worker belongs to has ended");
  };
  for (std::string line; std::getline(std::cin, line);)
    write(respond(Message::parse(line, nullptr, false), [&](const std::string& step, double allow) {
      write({{"step", step}, {"allow", allow}});
    }));
}

} // namespace tmd::tune
