// Cases planted in windows of the phase walk: what a device must find, though nobody told it. F is shifted by a
// constant in each of some short groups of windows, so that an argument chosen at random lies within 2^-K of a
// breakpoint there.
#pragma once

#include "engine/audit_share.hpp"
#include "engine/phase/search.hpp"
#include "number/random.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tmd::engine::phase {

// An argument's index, and whether it is one of the mate's.
using PhaseArgument = std::pair<std::uint64_t, bool>;
// What points are, sorted, each once.
[[nodiscard]] std::vector<PhaseArgument> arguments_of(const PhasePlan& plan, const std::vector<PhasePoint>& points);

// Groups of windows from anywhere in a batch that has some, with a case in each of nearly all.
struct PlantedWindows {
  PhaseBatch batch;
  std::vector<PhaseArgument> cases;
};
[[nodiscard]] PlantedWindows planted_windows(const PhaseBatch& among, number::Random& random);

// Searches batches, and plants cases among them as often as costs next to nothing.
class PlantingWalk {
public:
  explicit PlantingWalk(PhaseSearch& search) : search_(search) {}

  // PhaseSearch::result(), of which one stage more tells how many cases were planted. Throws FaultError when the device
  // misses one of them.
  [[nodiscard]] BatchResult result(const PhaseBatch& batch, const Interrupt& interrupt);

private:
  void plant_in(const PhaseBatch& batch, Stage& planted);

  PhaseSearch& search_;
  AuditShare share_;
  number::Random random_{0};
};

} // namespace tmd::engine::phase
