// How a device's time is divided among stages. Kernels of several queues run at the same time, and a kernel's own time
// then includes what it has waited for others. Here every instant of the device's clock is shared equally among the
// launches that were active in it, so that the stages' times add up to the time in which the device was busy. While
// nothing is launched, the time on the host's clock is charged to what the queues' threads wait for.
//
// Both are counted as launches end, in any order, with memory for the few that may still share an instant.
#pragma once

#include "engine/idle.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::engine {

// Seconds of a device by the names of stages.
using StageSeconds = std::map<std::string, double, std::less<>>;

// Instants of the device's clock, in nanoseconds, shared among launches. For one thread at a time.
class SharedTime {
public:
  // Announces a launch, which begins no earlier than the end of every launch that has been reported.
  [[nodiscard]] std::uint64_t begin();
  // The launch was active from `first` to `last`, or never if that is earlier. Instants that have already been shared
  // do not count.
  void end(std::uint64_t launch, std::string_view stage, std::uint64_t first, std::uint64_t last);
  // The launch failed.
  void drop(std::uint64_t launch);
  // The time shared since the last call; complete if no launch is running.
  [[nodiscard]] StageSeconds take();

private:
  struct Active {
    std::uint64_t first;
    std::uint64_t last;
    std::string stage;
  };

  void share_known();
  void share_until(std::uint64_t until);

  std::uint64_t launches_ = 0;
  std::uint64_t last_end_ = 0;
  std::uint64_t shared_until_ = 0;
  std::map<std::uint64_t, std::uint64_t> on_their_way_; // the earliest begin of each running launch, by its number
  std::vector<Active> ended_;                           // ended launches with instants that have not been shared yet
  StageSeconds seconds_;
};

// The host's clock while nothing is launched. For one thread at a time.
class IdleTime {
public:
  using Instant = std::chrono::steady_clock::time_point;

  void launched(Instant now);
  void ended(Instant now);
  // A queue's thread changes from one reason to another; `other`: none of them.
  void move(IdleReason from, IdleReason to, Instant now);
  // The number of threads that plan work for the queues changes. While none does, the queues wait for parts.
  void plan(int threads, Instant now);
  // The idle time since the last call.
  [[nodiscard]] Idle take(Instant now);

private:
  void pass(Instant now);

  int launches_ = 0;
  int planning_ = 0;
  std::array<int, idle_reasons> threads_{};
  Instant since_;
  Idle idle_;
};

// Both clocks, for the queues of a device. May be used by several threads at once.
class DeviceTime {
public:
  // RAII: a launch, until it has ended or failed.
  class Running {
  public:
    explicit Running(DeviceTime& time) : time_(time), launch_(time.begin()) {}
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running();
    // As SharedTime::end(). An empty stage: the launch belonged to a self-test.
    void end(std::string_view stage, std::uint64_t first, std::uint64_t last);

  private:
    DeviceTime& time_;
    std::uint64_t launch_;
    bool ended_ = false;
  };

  // RAII: while it lives, a queue's thread is at the second reason instead of the first.
  class At {
  public:
    At(DeviceTime& time, IdleReason from, IdleReason to) : time_(time), from_(from), to_(to) { time_.move(from_, to_); }
    At(const At&) = delete;
    At& operator=(const At&) = delete;
    ~At() { time_.move(to_, from_); }

  private:
    DeviceTime& time_;
    IdleReason from_;
    IdleReason to_;
  };

  // RAII: while it lives, this number of threads more plan, or fewer if negative.
  class Planning {
  public:
    Planning(DeviceTime& time, int threads) : time_(time), threads_(threads) { time_.plan(threads_); }
    Planning(const Planning&) = delete;
    Planning& operator=(const Planning&) = delete;
    ~Planning() { time_.plan(-threads_); }

  private:
    DeviceTime& time_;
    int threads_;
  };

  struct Taken {
    StageSeconds stages;
    Idle idle;
  };
  // The times since the last call.
  [[nodiscard]] Taken take();

private:
  [[nodiscard]] std::uint64_t begin();
  void move(IdleReason from, IdleReason to);
  void plan(int threads);

  std::mutex mutex_; // guards the members below
  SharedTime shared_;
  IdleTime idle_;
};

} // namespace tmd::engine
