// What goes through a device: batches of intervals, from the threads that plan them to those that confirm what was
// found.
#pragma once

#include "search/device_worker.hpp"

#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace tmd::searches {

// Some of an interval on its way through a device: a batch, or arguments for MPFR alone.
struct DeviceWorker::Work {
  engine::Field field;
  result::PartResult result; // as far as it is known
  engine::Engine* engine = nullptr;
  std::unique_ptr<engine::Batch> batch; // null: direct, or searched
  engine::BatchResult found;            // by the device
  double cost = 0;                      // predicted
  double seconds = 0;                   // of the device's thread
  std::vector<Work> joined = {};        // whose batches this one's has taken in

  [[nodiscard]] double cost_of_all() const;
};

// What a device makes of predicted costs, of late. May be used by several threads at once.
class Pace {
public:
  // An engine's first batch says nothing: kernels are built and tested for it.
  void observe(const engine::Engine& engine, double cost, double seconds);
  // 0: not known.
  [[nodiscard]] double seconds(double cost) const;

private:
  mutable std::mutex mutex_; // of what follows
  std::set<const engine::Engine*> begun_;
  double cost_ = 0;
  double seconds_ = 0;
};

} // namespace tmd::searches
