// x^y or (1 + x)^y over whole rectangles of pairs, or cells of a format.
#pragma once

#include "engine/boxes/planned.hpp"
#include "tmd/format.hpp"

#include <span>
#include <vector>

namespace tmd::engine::boxes {

// Throws std::logic_error unless the tiles have as many pairs as the rectangles.
[[nodiscard]] PlannedPairs plan_powers(std::span<const PowerRectangle> rectangles, const PowerPlanner& planner);

// One rectangle for each pair of exponents and each sign of y: x is a positive number of a format, subnormal ones
// included, and y is one of these or its opposite.
[[nodiscard]] std::vector<PowerRectangle> power_cells(const Format& format);
// The same for (1 + x)^n: x > -1 is a number of a format, and n an integer of 32 bits; neither is 0.
[[nodiscard]] std::vector<PowerRectangle> compound_cells(const Format& format);

// The cost of a rectangle, estimated by formulas at some places.
[[nodiscard]] PairEstimate estimate_powers(const PowerRectangle& rectangle, const format::BreakpointGrid& grid,
                                           const BoxOptions& options);

} // namespace tmd::engine::boxes
