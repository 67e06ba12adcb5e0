// Comparisons for people and programs.
#pragma once

#include "report/comparison.hpp"

#include <string>

namespace tmd::report {

// A block for each device, a row for each cell, what the columns mean, and the fastest cell.
[[nodiscard]] std::string comparison_table(const Comparison& comparison);

// JSON Lines: a `comparison` record with the devices, a `cell` record each, a `summary` record last. `seconds`: the
// time of the whole comparison.
[[nodiscard]] std::string comparison_records(const Comparison& comparison, double seconds);

} // namespace tmd::report
