// The process that tries configurations.
#pragma once

#include "support/child_process.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tmd::tune {

using Message = nlohmann::ordered_json;

// What a worker made of a request.
struct Answer {
  enum class Kind { message, timeout, died };
  Kind kind = Kind::message;
  Message message;  // of `message`
  std::string text; // else: what was being done, or how it died and its last words
};

// A child process that gets requests on its standard input and answers on its standard output, a JSON object a line.
// Before each step it says what it does and how long that may take, {"step":"…","allow":seconds}; when it exceeds that
// it is killed; after an answer with "state":"runtime" too. The next request starts a new one. It dies with this
// process.
class Worker {
public:
  // `command`: the program and its arguments. `first_seconds`: until its first word.
  explicit Worker(std::vector<std::string> command, double first_seconds = 120);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() = default;

  // Waits for the answer: the first message without "step". Throws Interrupted, having killed the process, when
  // `interrupted` says so; DeviceError when the process cannot be started.
  [[nodiscard]] Answer ask(const Message& request, const std::function<bool()>& interrupted = {});

private:
  void start();
  void stop();
  [[nodiscard]] Answer died();

  std::vector<std::string> command_;
  double first_seconds_;
  std::optional<ChildProcess> process_;
  Descriptor channel_; // its standard input and output
  std::string received_;
};

// The worker's side: answers each line of standard input by what `respond` makes of it, until there is no more.
// `respond` may announce steps. What it throws as Error ends the process with the error's status.
using Announce = std::function<void(const std::string& step, double allow)>;
void serve(const std::function<Message(const Message& request, const Announce& announce)>& respond);

// Seconds that steps are allowed.
inline constexpr double building = 120; // for compilers
inline constexpr double unknown = 600;  // for what nothing is known of
// In times of the best configuration: what takes longer is given up, what takes less is measured well.
inline constexpr double give_up = 4;
inline constexpr double promising = 1.2;

} // namespace tmd::tune
