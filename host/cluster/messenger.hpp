// The thread of a rank that sends and receives: no other uses the transport.
#pragma once

#include "cluster/transport.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tmd::cluster {

class Messenger {
public:
  // `received` is called for every message and `idle` now and then, some hundred times a second, both in the
  // messenger's thread. Neither may throw.
  Messenger(Transport& transport, std::function<void(const Message&)> received, std::function<void()> idle);
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;
  // Sends what waits to be sent, and ends.
  ~Messenger();

  // Returns at once. By any thread.
  void send(int to, std::string text);

private:
  void work();
  // Sends what waits. Returns whether there was anything.
  bool send_waiting();

  Transport& transport_;
  const std::function<void(const Message&)> received_;
  const std::function<void()> idle_;
  std::mutex mutex_; // of what follows
  std::condition_variable changed_;
  std::vector<std::pair<int, std::string>> waiting_;
  bool ending_ = false;
  std::thread thread_; // the last member: it uses the others
};

} // namespace tmd::cluster
