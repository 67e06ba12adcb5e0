// The threads of a device worker that plan: parts become intervals, and these become the batches that the device
// searches.
#pragma once

#include "engine/planning.hpp"
#include "search/bounded_queue.hpp"
#include "search/device_work.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tmd::searches {

// May be used by several threads at once.
class DeviceWorker::Planning {
public:
  Planning(const DeviceWorker& worker, const job::Job& job, PartExchange& exchange, const Pace& pace,
           BoundedQueue<Work>& planned)
      : worker_(worker), job_(job), exchange_(exchange), pace_(pace), planned_(planned) {}

  // Takes a part only after a place in the queue has been reserved. The oldest field has priority: otherwise all
  // threads reach the regions that need much of the host together, and the device idles.
  void plan_parts();

private:
  using Clock = std::chrono::steady_clock;

  std::optional<PartExchange::Assignment> take();
  // Plans a part, or several small ones of a shared search that belong together, and makes batches, the first of them
  // for the reserved place. Returns false when the device wants no more.
  bool plan(engine::FieldPlanner& planner, const PartExchange::Assignment& taken, bool shared);
  // How many arguments of an interval a device that shares a search should do at a time. Its speed in arguments a
  // second, by which it was given the part, says little where other arguments cost more.
  [[nodiscard]] std::uint64_t fitting_count(const engine::Interval& interval, double planning_seconds) const;
  // Cuts an interval into batches, the first of them for the reserved place. Returns false when the device wants no
  // more. planning_seconds: what the plan, begun at `start`, has taken.
  bool push(std::size_t number, const engine::Field& field, const engine::Interval& interval, double planning_seconds,
            Clock::time_point start);
  // Whether much of this work may be queued.
  [[nodiscard]] bool is_light(const Work& work) const;

  const DeviceWorker& worker_;
  const job::Job& job_;
  PartExchange& exchange_;
  const Pace& pace_;
  BoundedQueue<Work>& planned_;
};

} // namespace tmd::searches
