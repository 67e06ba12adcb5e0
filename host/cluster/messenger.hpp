// The messenger: the one thread of a rank that uses the transport.
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
  // `received` is called for every message and `idle` some hundred times a second, both by the messenger's thread.
  // Neither may throw.
  Messenger(Transport& transport, std::function<void(const Message&)> received, std::function<void()> idle);
  Messenger(const Messenger&) = delete;
  Messenger& operator=(const Messenger&) = delete;
  // Sends what is queued, and ends.
  ~Messenger();

  // Queues a message and returns at once. May be called by any thread.
  void send(int to, std::string text);

private:
  void work();
  // Sends what is queued. Returns whether there was anything.
  bool send_waiting();

  Transport& transport_;
  const std::function<void(const Message&)> received_;
  const std::function<void()> idle_;
  std::mutex mutex_; // guards the members below
  std::condition_variable changed_;
  std::vector<std::pair<int, std::string>> waiting_;
  bool ending_ = false;
  std::thread thread_; // the last member: it uses the others
};

} // namespace tmd::cluster
