// Builds programs before they are needed, in processes beside this one. NVIDIA's driver compiles one program at a time
// for each process and device, but keeps what any process has compiled: this process then only loads what a child has
// built. A child that crashes, hangs or is killed costs time and nothing else, for this process builds whatever is
// missing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tmd::support {
class ChildProcess;
class Descriptor;
} // namespace tmd::support

namespace tmd::opencl {

// May be used by several threads at once.
class Builders {
public:
  using Patience = std::chrono::milliseconds;

  // Up to `processes` processes run the program with these arguments. Each is given up if it has been silent for the
  // given time, and ends when it has nothing to do. It writes "ready", then "done" for each request that it has read.
  Builders(std::string program, std::vector<std::string> arguments, unsigned processes,
           Patience patience = std::chrono::seconds(60));
  Builders(const Builders&) = delete;
  Builders& operator=(const Builders&) = delete;
  ~Builders();

  // A program will be needed, under a unique key. The longest request is served first, for it takes longest.
  void want(const std::string& key, std::string request);
  // The program is needed now: waits while a process, or another device's thread, builds it. If none has begun, none
  // will, and the caller's own building has begun, until what is returned is gone.
  [[nodiscard]] std::shared_ptr<void> await(const std::string& key);

private:
  enum class State { wanted, begun, over };
  struct Wish {
    std::string request;
    State state = State::wanted;
  };

  void serve();
  // Serves requests with one process until there are no more. Returns false if the process has failed.
  [[nodiscard]] bool serve_with_child();
  [[nodiscard]] bool is_wanted() const;
  // The key of the longest request, which is begun; nothing if none comes for a while.
  [[nodiscard]] std::optional<std::string> begin_next();
  void end(const std::string& key);
  [[nodiscard]] bool is_stopping();
  // Both return false if the process ends, takes too long, or is no longer wanted.
  [[nodiscard]] bool send(const support::Descriptor& to, const std::string& request);
  [[nodiscard]] bool hear(support::ChildProcess& child, support::Descriptor& from, std::string& said,
                          const std::string& word);

  std::string program_;
  std::vector<std::string> arguments_;
  unsigned processes_;
  Patience patience_;
  std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  std::map<std::string, Wish> wishes_;
  std::vector<std::thread> threads_; // one for each process
  bool stopping_ = false;
};

// The text that requests a program, and the body of a process that serves such requests: it builds, for the device of
// that index, what it reads from standard input, until that ends.
[[nodiscard]] std::string build_request(const std::string& options, const std::string& source);
void serve_build_requests(std::size_t device);

} // namespace tmd::opencl
