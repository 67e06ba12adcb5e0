// A child process, which ends with its owner. A launched kernel cannot be cancelled, but a process can be killed; its
// crash ends nothing else; and a CPU mode belongs to a process.
#pragma once

#include "support/descriptor.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tmd::support {

// This executable, even if its file has been replaced since it was started. Its name is then "tmd" in its own argv.
inline constexpr const char* this_program = "/proc/self/exe";

// The descriptors of a child: numbers of this process. A negative one stands for /dev/null.
struct ChildStreams {
  int input = -1;
  int output = -1;
  std::vector<int> extra; // become the child's descriptors 3, 4, …
};

// How a process ended.
struct ProcessEnd {
  bool signalled = false;
  int number = 0; // its exit status, or the signal

  [[nodiscard]] bool done() const { return !signalled && number == 0; }
  // "it ended with status 3", "it was ended by signal 11 (Segmentation fault)".
  [[nodiscard]] std::string sentence() const;
};

// A child in a process group of its own, so that a terminal's SIGINT goes to the parent alone and processes that a
// compiler starts can be killed too. It dies with this process, whatever ends that.
class ChildProcess {
public:
  // `program`: a path, followed by its arguments. Throws DeviceError if no process can be started; a program that
  // cannot be executed appears as a child that ends with status 127.
  ChildProcess(const std::string& program, std::vector<std::string> arguments, const ChildStreams& streams);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { kill(); }

  // Waits, at most `patience`, until the child has written to the channel or to stderr, or closed one. Appends what
  // came through the channel, if that is open, to the text, and closes it at its end. False if nothing happened.
  bool read(Descriptor& channel, std::string& text, std::chrono::milliseconds patience);

  // How it ended; nothing if it still runs after `patience`.
  [[nodiscard]] std::optional<ProcessEnd> wait(std::chrono::milliseconds patience = {});

  // Ends the child and its own children. A driver may hold a process until its kernel has finished: then, after ten
  // seconds, it is left to end by itself.
  void kill();

  // The last MiB that it wrote to stderr; complete after wait() has returned its end.
  [[nodiscard]] const std::string& errors() const { return errors_; }
  // The last line of errors(), with control characters as `?`.
  [[nodiscard]] std::string last_words() const;

private:
  void keep_errors();

  pid_t process_ = -1;
  std::optional<ProcessEnd> end_;
  Descriptor error_pipe_;
  std::string errors_;
};

} // namespace tmd::support
