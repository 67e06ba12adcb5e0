#include "cluster/messenger.hpp"

#include <algorithm>
#include <chrono>

namespace tmd::cluster {

namespace {

// MPI cannot wait without keeping the core busy: so the thread sleeps between two looks, longer if there is less to do.
constexpr std::chrono::microseconds shortest_pause(20);
constexpr std::chrono::microseconds longest_pause(1000);
constexpr std::chrono::milliseconds idle_rhythm(5);
constexpr int most_at_once = 64; // messages received before something is sent

} // namespace

Messenger::Messenger(Transport& transport, std::function<void(const Message&)> received, std::function<void()> idle)
    : transport_(transport), received_(std::move(received)), idle_(std::move(idle)), thread_([this] { work(); }) {}

Messenger::~Messenger() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Messenger::send(int to, std::string text) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace_back(to, std::move(text));
  changed_.notify_one();
}

bool Messenger::send_waiting() {
  std::vector<std::pair<int, std::string>> taken;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(waiting_);
  }
  for (auto& [to, text] : taken)
    transport_.send(to, std::move(text));
  return !taken.empty();
}

void Messenger::work() {
  auto pause = shortest_pause;
  auto last_idle = std::chrono::steady_clock::now();
  for (;;) {
    bool busy = send_waiting();
    for (int count = 0; count < most_at_once; ++count) {
      const auto message = transport_.receive();
      if (!message)
        break;
      received_(*message);
      busy = true;
    }
    if (const auto now = std::chrono::steady_clock::now(); now - last_idle >= idle_rhythm) {
      last_idle = now;
      idle_();
    }
    pause = busy ? shortest_pause : std::min(2 * pause, longest_pause);
    const bool all_sent = transport_.has_sent();
    std::unique_lock lock(mutex_);
    if (waiting_.empty() && ending_ && all_sent)
      return;
    if (waiting_.empty() && !busy)
      changed_.wait_for(lock, pause);
  }
}

} // namespace tmd::cluster
