// Comparisons for people and programs.
#pragma once

#include "report/comparison.hpp"

#include <string>

namespace tmd::report {

// A row a cell under a line a device, what the columns mean, and the fastest.
[[nodiscard]] std::string comparison_table(const Comparison& comparison);

// JSON Lines: a `comparison` record with the devices, a `cell` record each, a `summary` record last. `seconds`: what
// the whole took.
[[nodiscard]] std::string comparison_records(const Comparison& comparison, double seconds);

} // namespace tmd::report
