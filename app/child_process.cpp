#include "child_process.hpp"

#include "error.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr int records_descriptor = 3;        // child_records
constexpr std::size_t most_errors = 1 << 20; // a compiler's messages follow the sentence

[[noreturn]] void cannot_start() {
  throw DeviceError(fmt::format("cannot start a process of its own: {}", std::strerror(errno)));
}

class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0)
      ::close(number_);
    number_ = -1;
  }
  [[nodiscard]] int number() const { return number_; }

private:
  int number_;
};

struct Pipe {
  Descriptor out; // read here
  Descriptor in;  // written here
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      cannot_start();
    out = Descriptor(ends[0]);
    in = Descriptor(ends[1]);
  }
  // Appends what there is; closes the pipe at its end.
  void read(std::string& text) {
    std::array<char, 1 << 16> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    const ssize_t size = ::read(out.number(), buffer.data(), buffer.size());
    if (size > 0)
      text.append(buffer.data(), static_cast<std::size_t>(size));
    else if (size == 0 || errno != EINTR)
      out.close();
  }
};

// Between fork() and exec(): nothing but system calls.
[[noreturn]] void become(char* const* arguments, pid_t parent, int null, int errors, int records) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) // it ended before the call
    ::_exit(127);
  ::dup2(null, STDIN_FILENO);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  if (records == records_descriptor)
    ::fcntl(records, F_SETFD, 0);
  else
    ::dup2(records, records_descriptor);
  ::execv("/proc/self/exe", arguments);
  ::_exit(127);
}

// Whether it has ended. A killed one may be held by its driver until a kernel has finished, and is left to itself then.
bool ended(pid_t process, int& status, std::chrono::milliseconds patience) {
  using namespace std::chrono_literals;
  for (auto waited = 0ms;; waited += 10ms) {
    const pid_t result = ::waitpid(process, &status, WNOHANG);
    if (result == process || (result < 0 && errno != EINTR))
      return true;
    if (waited >= patience)
      return false;
    ::poll(nullptr, 0, 10);
  }
}

} // namespace

ChildEnd run_child(std::vector<std::string> arguments, double seconds, const std::function<bool()>& interrupted) {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  constexpr auto tick = 50ms;
  const auto start = Clock::now();
  Pipe records;
  Pipe errors;
  const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  std::string name = "tmd";
  std::vector<char*> pointers{name.data()};
  for (std::string& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0)
    cannot_start();
  if (process == 0)
    become(pointers.data(), parent, null.number(), errors.in.number(), records.in.number());
  records.in.close();
  errors.in.close();

  ChildEnd end;
  int status = 0;
  for (bool running = true; running;) {
    running = !ended(process, status, 0ms);
    // What it started itself may hold the pipes open: once it has ended, what is there is read and no more.
    for (bool more = true; more && (records.out.number() >= 0 || errors.out.number() >= 0);) {
      std::array<pollfd, 2> waiting{{{records.out.number(), POLLIN, 0}, {errors.out.number(), POLLIN, 0}}};
      more = ::poll(waiting.data(), waiting.size(), running ? static_cast<int>(tick.count()) : 0) > 0;
      if (waiting[0].revents != 0)
        records.read(end.records);
      if (waiting[1].revents != 0)
        errors.read(end.errors);
      if (end.errors.size() > most_errors)
        end.errors.erase(0, end.errors.size() - most_errors);
      more = more && !running;
    }
    if (running && records.out.number() < 0 && errors.out.number() < 0)
      ::poll(nullptr, 0, static_cast<int>(tick.count()));
    const bool stop = interrupted && interrupted();
    if (running && (stop || std::chrono::duration<double>(Clock::now() - start).count() > seconds)) {
      ::kill(process, SIGKILL);
      (void)ended(process, status, 10s);
      end.kind = stop ? ChildEnd::Kind::interrupted : ChildEnd::Kind::timed_out;
      return end;
    }
  }
  end.kind = WIFSIGNALED(status) ? ChildEnd::Kind::signalled : ChildEnd::Kind::exited;
  end.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

std::string ChildEnd::sentence() const {
  constexpr std::string_view prefix = "tmd: ";
  switch (kind) {
  case Kind::timed_out:
    return "it took too long";
  case Kind::interrupted:
    return "it was interrupted";
  case Kind::signalled:
    return fmt::format("it was ended by signal {} ({})", number, ::strsignal(number));
  case Kind::exited:
    break;
  }
  // The last line that begins so: notes and warnings stand before it, a compiler's messages after.
  std::string found;
  for (std::size_t begin = 0; begin < errors.size();) {
    const std::size_t after = std::min(errors.find('\n', begin), errors.size());
    if (errors.compare(begin, prefix.size(), prefix) == 0)
      found = errors.substr(begin + prefix.size(), after - begin - prefix.size());
    begin = after + 1;
  }
  return found.empty() ? fmt::format("it ended with status {}", number) : found;
}

} // namespace tmd::app
