#include "engine/domains/feedback.hpp"

#include <algorithm>

namespace tmd::engine::domains {

void SurvivorFeedback::observe(Test test, double share, std::uint64_t tested, std::uint64_t survivors) {
  constexpr std::uint64_t enough = 1000; // survivors that determine a share to some per cent
  if (survivors < enough || share >= 1)
    return;
  const double seen = static_cast<double>(survivors) / static_cast<double>(tested) / share;
  factors_[is_lefevre(test)].store(std::clamp(seen, 0.1, 10.0), std::memory_order_relaxed);
}

} // namespace tmd::engine::domains
