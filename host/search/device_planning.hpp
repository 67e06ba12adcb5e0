// The threads of a device worker that plan: parts become intervals, and these the batches that the device searches.
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

  // A thread is at no part, nor takes one, unless the device may soon want what it makes. The field that was begun
  // first comes first: where all went side by side, they would come to what takes the device little and the host much
  // at the same time, and the device would wait.
  void plan_parts();

private:
  using Clock = std::chrono::steady_clock;

  std::optional<PartExchange::Assignment> take();
  // Plans a part, or of a shared one what goes together, and makes its batches, the first of them for a place that is
  // reserved. Returns false when the device wants no more.
  bool plan(engine::FieldPlanner& planner, const PartExchange::Assignment& taken, bool shared);
  // How much of an interval a device that shares a search should do at a time. Its speed in arguments a second, by
  // which it was given the part, says little where other arguments are dearer.
  [[nodiscard]] std::uint64_t fitting_count(const engine::Interval& interval, double planning_seconds) const;
  // Cuts an interval into work for the device, the first of it for a place that is reserved. Returns false when the
  // device wants no more. Its plan, begun at `start`, has taken so long.
  bool push(std::size_t number, const engine::Field& field, const engine::Interval& interval, double planning_seconds,
            Clock::time_point start);
  // Whether much of it may wait.
  [[nodiscard]] bool is_light(const Work& work) const;

  const DeviceWorker& worker_;
  const job::Job& job_;
  PartExchange& exchange_;
  const Pace& pace_;
  BoundedQueue<Work>& planned_;
};

} // namespace tmd::searches
