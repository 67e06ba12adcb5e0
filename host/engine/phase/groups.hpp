// Groups of windows as the kernels read them: the polynomials of F in tables, and the lattices at which walks start.
#pragma once

#include "engine/phase/plan.hpp"

#include <array>
#include <cstdint>

namespace tmd::engine::phase {

// Makes the tables and starts of a batch whose plan, windows and parameters are set.
void write_groups(PhaseBatch& batch);

// The start of a walk at the plan's window of that number.
[[nodiscard]] std::array<std::uint64_t, layout::start_words> start_at(const PhasePlan& plan, std::uint64_t window);

// The arguments in a window of a batch at which F is as near an integer as at a point that the walk finds: the host's
// way, one by one, for windows that cannot be walked.
[[nodiscard]] std::vector<PhaseArgument> near_integers(const PhaseBatch& batch, std::uint64_t window);

} // namespace tmd::engine::phase
