// Another process, which ends with its owner: a launched kernel cannot be cancelled, but a process can be killed; a
// crash ends no more than it; and a CPU mode belongs to a process.
#pragma once

#include "support/descriptor.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace tmd::support {

// This executable, also when its file has been replaced since it was started. Its name to itself is then "tmd".
inline constexpr const char* this_program = "/proc/self/exe";

// What a child's descriptors lead to: numbers of this process. A negative one stands for /dev/null.
struct ChildStreams {
  int input = -1;
  int output = -1;
  std::vector<int> extra; // become its descriptors 3, 4, …
};

// How a process ended.
struct ProcessEnd {
  bool signalled = false;
  int number = 0; // its exit status, or the signal

  [[nodiscard]] bool done() const { return !signalled && number == 0; }
  // "it ended with status 3", "it was ended by signal 11 (Segmentation fault)".
  [[nodiscard]] std::string sentence() const;
};

// A child in a process group of its own, so that a terminal's SIGINT is the parent's alone and what a compiler starts
// can be killed too. It dies with this process, whatever ends that.
class ChildProcess {
public:
  // `program`: a path. Its arguments follow. Throws DeviceError when no process can be started; a program that cannot
  // be executed shows as a child that ends with status 127.
  ChildProcess(const std::string& program, std::vector<std::string> arguments, const ChildStreams& streams);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() { kill(); }

  // Waits, `patience` at most, until the child has written to the channel or to stderr, or closed one. Appends what
  // came through the channel, if that is open, to the text, and closes it at its end. False when nothing happened.
  bool read(Descriptor& channel, std::string& text, std::chrono::milliseconds patience);

  // How it ended; nothing when it still runs after `patience`.
  [[nodiscard]] std::optional<ProcessEnd> wait(std::chrono::milliseconds patience = {});

  // Ends it and what it started. A driver may hold a process until its kernel has finished: then, after ten seconds, it
  // is left to end by itself.
  void kill();

  // What it wrote to stderr, of which the last MiB is kept: all of it after wait() has told its end.
  [[nodiscard]] const std::string& errors() const { return errors_; }
  // The last line of that, control characters as `?`.
  [[nodiscard]] std::string last_words() const;

private:
  void keep_errors();

  pid_t process_ = -1;
  std::optional<ProcessEnd> end_;
  Descriptor error_pipe_;
  std::string errors_;
};

} // namespace tmd::support
