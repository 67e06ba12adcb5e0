// Whose a device's time is. Kernels of several queues run side by side, and each one's own time then counts what it has
// waited for the others. Here every instant of the device's clock is shared equally among the launches that were active
// in it, so that what the stages of a search get adds up to the time in which the device was busy. And while nothing is
// launched, the time on the host's clock goes to what the queues' threads wait for.
//
// Both are counted as launches end, in any order, with memory for the few that still may share an instant.
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
  // A launch that may begin from now on. It has begun no earlier than what has been told of has ended.
  [[nodiscard]] std::uint64_t begin();
  // It was active from `first` to `last`, or never where that is earlier: then, or where it overlaps what has been
  // shared out, only what is left of it counts.
  void end(std::uint64_t launch, std::string_view stage, std::uint64_t first, std::uint64_t last);
  // It failed.
  void drop(std::uint64_t launch);
  // What has been shared out since the last time. All of it once no launch is on its way.
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
  std::map<std::uint64_t, std::uint64_t> on_their_way_; // by number: before then they have not begun
  std::vector<Active> ended_;                           // those that have a part in what is not yet shared out
  StageSeconds seconds_;
};

// The host's clock while nothing is launched. For one thread at a time.
class IdleTime {
public:
  using Instant = std::chrono::steady_clock::time_point;

  void launched(Instant now);
  void ended(Instant now);
  // One more or less of a queue's threads is at this: `other`, at none of it.
  void move(IdleReason from, IdleReason to, Instant now);
  // So many more threads, or fewer, plan what the queues wait for. While none does, they wait for parts.
  void plan(int threads, Instant now);
  // Since the last time.
  [[nodiscard]] Idle take(Instant now);

private:
  void pass(Instant now);

  int launches_ = 0;
  int planning_ = 0;
  std::array<int, idle_reasons> threads_{};
  Instant since_;
  Idle idle_;
};

// Both, for the queues of a device. By several threads at once.
class DeviceTime {
public:
  // A launch, until it has ended or failed.
  class Running {
  public:
    explicit Running(DeviceTime& time) : time_(time), launch_(time.begin()) {}
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running();
    // As SharedTime::end(). An empty stage: it was no part of a search, but of self-tests.
    void end(std::string_view stage, std::uint64_t first, std::uint64_t last);

  private:
    DeviceTime& time_;
    std::uint64_t launch_;
    bool ended_ = false;
  };

  // While it lives, a queue's thread that was at the first is at the second.
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

  // While it lives, so many threads more plan; or, where it is negative, fewer.
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
  // Since the last time.
  [[nodiscard]] Taken take();

private:
  [[nodiscard]] std::uint64_t begin();
  void move(IdleReason from, IdleReason to);
  void plan(int threads);

  std::mutex mutex_; // of what follows
  SharedTime shared_;
  IdleTime idle_;
};

} // namespace tmd::engine
