// The share of domains that phase 1 keeps, compared with the expected one.
#pragma once

#include "engine/domains/tunables.hpp"
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tmd::engine::domains {

// Observed over expected survivors of phase 1, by test: corrects the planner as the search goes on (seed 003 section
// 6.3). Shared by the threads that plan and search. Results do not depend on it, only speed.
class SurvivorFeedback {
public:
  // `survivors` of `tested` domains were kept, with a plan whose survivor_share was `share`.
  void observe(Test test, double share, std::uint64_t tested, std::uint64_t survivors);
  [[nodiscard]] double factor(Test test) const { return factors_[is_lefevre(test)].load(std::memory_order_relaxed); }

private:
  static std::size_t is_lefevre(Test test) { return test == Test::regular ? 0 : 1; }
  std::array<std::atomic<double>, 2> factors_{1.0, 1.0};
};

} // namespace tmd::engine::domains
