// Who does the work of a search: a device here, or something that passes parts on to devices elsewhere. A search knows
// its workers only by this.
#pragma once

#include "engine/engine.hpp"
#include "result/part_result.hpp"

#include <algorithm>
#include <optional>

namespace tmd::searches {

// How many seconds a part should take a worker at most that shares a search with others: its speed may be another in
// what comes next, and at the end the others would wait for it. But a part must be worth its plan, which takes so long.
[[nodiscard]] constexpr double longest_part(double planning_seconds) {
  constexpr double usual = 0.5;
  constexpr double most = 16;
  constexpr double work_per_plan = 32;
  return std::clamp(work_per_plan * planning_seconds, usual, most);
}

// Where a worker gets its parts, and delivers what it has found in them. May be used by several threads at once.
class PartExchange {
public:
  struct Assignment {
    result::Part part;
    engine::Field field;
  };

  PartExchange() = default;
  PartExchange(const PartExchange&) = delete;
  PartExchange& operator=(const PartExchange&) = delete;
  virtual ~PartExchange() = default;

  // What to search next. Waits while there is nothing, but another worker might yet be lost. Nothing when all is done,
  // or the search stops, or after close().
  [[nodiscard]] virtual std::optional<Assignment> take() = 0;
  // Whether others want parts, too: then a worker keeps no more of one than what it plans at once.
  [[nodiscard]] virtual bool is_shared() const { return true; }
  // The worker does only the first `count` of a part that it has taken.
  virtual void shorten(const Assignment& taken, uint128 count) = 0;
  // A part that was taken, or a piece of it, is done: from now on it is covered, and what was found there counts.
  virtual void deliver(const result::PartResult& result) = 0;
  // take() gives nothing from now on. What was taken and not delivered is still this worker's.
  virtual void close() = 0;
  // Whether the search is to end.
  [[nodiscard]] virtual bool interrupted() const = 0;
};

class Worker {
public:
  Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  virtual ~Worker() = default;

  // Takes parts of a job and delivers what it finds until there is no more. Throws DeviceError when it fails: what it
  // has not delivered is then done by others. Throws Interrupted when the exchange says so.
  virtual void work(const job::Job& job, PartExchange& exchange) = 0;
};

} // namespace tmd::searches
