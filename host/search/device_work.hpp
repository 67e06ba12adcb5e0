// The work that goes through a device: batches of intervals, from the threads that plan to those that confirm.
#pragma once

#include "search/device_worker.hpp"

#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace tmd::searches {

// A batch on its way through a device, or arguments that MPFR decides without one.
struct DeviceWorker::Work {
  engine::Field field;
  result::PartResult result; // as far as it is known yet
  engine::Engine* engine = nullptr;
  std::unique_ptr<engine::Batch> batch; // null if MPFR decides directly, or once the batch has been searched
  engine::BatchResult found;            // what the device has found
  double cost = 0;                      // predicted, in regular existence tests
  double seconds = 0;                   // the device thread's time
  std::vector<Work> joined = {};        // work whose batches were merged into this one's

  [[nodiscard]] double cost_of_all() const;
};

// Seconds that a device takes for a unit of predicted cost, of late. May be used by several threads at once.
class Pace {
public:
  // Ignores an engine's first batch, for which kernels are built and tested.
  void observe(const engine::Engine& engine, double cost, double seconds);
  // 0 if not known.
  [[nodiscard]] double seconds(double cost) const;

private:
  mutable std::mutex mutex_; // guards the members below
  std::set<const engine::Engine*> begun_;
  double cost_ = 0;
  double seconds_ = 0;
};

} // namespace tmd::searches
