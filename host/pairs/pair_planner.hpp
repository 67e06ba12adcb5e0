// The plan of a job for devices: x^y by its own tables, an expression by tiles.
#pragma once

#include "engine/boxes/rectangles.hpp"
#include "engine/boxes/tiles.hpp"
#include "pairs/pair_job.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <variant>

namespace tmd::pairs {

class PairPlanner {
public:
  PairPlanner(PairJob job, const engine::boxes::BoxOptions& options);

  // The tiles of these rectangles; serves several threads. Throws UsageError where an expression has too many pairs, in
  // all plans together, next to places that tiles or boxes do not serve.
  [[nodiscard]] engine::boxes::PlannedPairs plan(std::span<const engine::boxes::PowerRectangle> rectangles);

private:
  void refuse_too_many(std::span<const engine::boxes::PowerRectangle> rectangles,
                       const engine::boxes::PlannedPairs& planned);

  PairJob job_;
  std::variant<engine::boxes::PowerPlanner, engine::boxes::TilePlanner> planner_;
  std::atomic<std::uint64_t> one_by_one_ = 0;   // pairs of tiles without a polynomial
  std::atomic<std::uint64_t> pair_by_pair_ = 0; // pairs of tiles without boxes
};

// Throws UsageError if a coarse look at these rectangles finds that PairPlanner would refuse them.
void refuse_singular(const PairJob& job, std::span<const engine::boxes::PowerRectangle> rectangles);

// The estimated cost of a rectangle of the job.
[[nodiscard]] engine::boxes::PairEstimate estimate_of(const PairJob& job,
                                                      const engine::boxes::PowerRectangle& rectangle);

} // namespace tmd::pairs
