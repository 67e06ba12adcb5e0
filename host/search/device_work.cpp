// Costs of joined batches, and a device's pace, in which recent batches count most.
#include "search/device_work.hpp"

#include <cmath>
#include <numeric>

namespace tmd::searches {

double DeviceWorker::Work::cost_of_all() const {
  return std::accumulate(joined.begin(), joined.end(), cost,
                         [](double sum, const Work& one) { return sum + one.cost; });
}

void Pace::observe(const engine::Engine& engine, double cost, double seconds) {
  constexpr double memory_seconds = 2;
  const double kept = std::exp2(-seconds / memory_seconds);
  const std::lock_guard lock(mutex_);
  if (begun_.insert(&engine).second)
    return;
  cost_ = kept * cost_ + cost;
  seconds_ = kept * seconds_ + seconds;
}

double Pace::seconds(double cost) const {
  const std::lock_guard lock(mutex_);
  return cost_ > 0 ? cost * seconds_ / cost_ : 0;
}

} // namespace tmd::searches
