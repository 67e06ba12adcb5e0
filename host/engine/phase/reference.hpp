// The walk on the host, by the kernels' own text.
#pragma once

#include "engine/phase/plan.hpp"

#include <cstdint>
#include <vector>

namespace tmd::engine::phase {

// Units in which a batch's windows are walked.
enum class PhaseUnits { plain, robust };

// The points in these chunks of a batch that may be cases. Chunks in which a window was refused are appended to
// `refused`.
[[nodiscard]] std::vector<PhasePoint> walk_on_host(const PhaseBatch& batch, PhaseUnits units,
                                                   const std::vector<std::uint64_t>& chunks,
                                                   const std::vector<std::uint64_t>& starts,
                                                   std::vector<std::uint64_t>& refused);
// The starts of a batch's chunks, made on the host; `made` gets the number of chunks that could be started in each
// group.
[[nodiscard]] std::vector<std::uint64_t> starts_on_host(const PhaseBatch& batch, std::vector<std::uint64_t>& made);

// Walks one window of the plan, from a start of its own. Returns false if it is refused.
[[nodiscard]] bool walk_window_on_host(const PhaseBatch& batch, std::uint64_t window, std::vector<PhasePoint>& found);

} // namespace tmd::engine::phase
