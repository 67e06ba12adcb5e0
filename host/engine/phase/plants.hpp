// Cases planted in windows of the phase walk: the device must find them without knowing of them. F is shifted by a
// constant in each of some short groups of windows, so that an argument chosen at random lies within 2^-K of a
// breakpoint there.
#pragma once

#include "engine/audit_share.hpp"
#include "engine/phase/search.hpp"
#include "number/random.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tmd::engine::phase {

// The arguments of these points, sorted, each once.
[[nodiscard]] std::vector<PhaseArgument> arguments_of(const PhasePlan& plan, const std::vector<PhasePoint>& points);

// Groups of windows from anywhere in a batch that has some, nearly all with one case each.
struct PlantedWindows {
  PhaseBatch batch;
  std::vector<PhaseArgument> cases;
};
[[nodiscard]] PlantedWindows planted_windows(const PhaseBatch& among, number::Random& random);

// Searches batches, and plants cases among them as often as the cost is negligible.
class PlantingWalk {
public:
  explicit PlantingWalk(PhaseSearch& search) : search_(search) {}

  // PhaseSearch::result(), with one more stage that counts planted cases. Throws FaultError if the device misses one of
  // them.
  [[nodiscard]] BatchResult result(const PhaseBatch& batch, const Interrupt& interrupt);

private:
  void plant_in(const PhaseBatch& batch, Stage& planted);

  PhaseSearch& search_;
  AuditShare share_;
  number::Random random_{0};
};

} // namespace tmd::engine::phase
