// A worker of a search: a device here, or something that passes parts on to devices elsewhere. A search knows its
// workers only by this interface.
#pragma once

#include "engine/engine.hpp"
#include "result/part_result.hpp"

#include <algorithm>
#include <optional>

namespace tmd::searches {

// The longest time in seconds that a part should take a worker that shares a search with others: its speed may drop in
// the next part, and at the end the others would wait for it. But a part must be worth its plan.
[[nodiscard]] constexpr double longest_part(double planning_seconds) {
  constexpr double usual = 0.5;
  constexpr double most = 16;
  constexpr double work_per_plan = 32;
  return std::clamp(work_per_plan * planning_seconds, usual, most);
}

// The source of a worker's parts, and the place where it delivers results. May be used by several threads at once.
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

  // The next part. Waits while there is none but another worker might yet be lost. Nothing when all is done, the search
  // stops, or after close().
  [[nodiscard]] virtual std::optional<Assignment> take() = 0;
  // Whether other workers want parts, too: then a worker keeps little of a part that would take it long.
  [[nodiscard]] virtual bool is_shared() const { return true; }
  // The worker searches only the first `count` arguments of a part that it has taken. It may have delivered some of
  // these.
  virtual void shorten(const Assignment& taken, uint128 count) = 0;
  // A part that was taken, or some of it, is done: it is covered from now on, and its results count.
  virtual void deliver(const result::PartResult& result) = 0;
  // take() returns nothing from now on. Parts that were taken and not delivered still belong to this worker.
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

  // Takes parts of a job and delivers results until there are no more parts. Throws DeviceError on failure: others then
  // search what was not delivered. Throws Interrupted when the exchange says so.
  virtual void work(const job::Job& job, PartExchange& exchange) = 0;
};

} // namespace tmd::searches
