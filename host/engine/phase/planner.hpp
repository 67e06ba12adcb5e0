// Chooses the windows, groups and ledger of a plan.
#pragma once

#include "engine/phase/plan.hpp"

#include <cstdint>
#include <memory>

namespace tmd::engine::phase {

struct PhaseOptions {
  double width = 1;     // cube root of the number of lattice points in a window's box
  int segment_bits = 6; // log2 of the most windows between two renewals of the coordinates from integers
  int chunk_bits = 10;  // log2 of the most windows of a work-item
  std::uint64_t batch_windows = std::uint64_t(1) << 30; // most windows of a batch
  double window_cost = 1;                               // relative to one regular existence test
  bool long_m = false;                                  // m has two words, even if one is enough
  unsigned host_threads = 1;                            // threads that make the groups of a batch
};

// Plans a claimed stretch zone by zone and binade by binade.
class PhasePlanner : public Planner {
public:
  PhasePlanner(std::shared_ptr<const PhaseField> field, const PhaseOptions& options);

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;
  // The plan that begins at `first`, with at most `most` steps.
  [[nodiscard]] std::unique_ptr<PhasePlan> plan(uint128 first, uint128 most);

private:
  class Making;

  std::shared_ptr<const PhaseField> field_;
  PhaseOptions options_;
};

} // namespace tmd::engine::phase
