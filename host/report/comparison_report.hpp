// Comparisons for people, programs and eyes.
#pragma once

#include "report/comparison.hpp"

#include <string>

namespace tmd {

// A row a cell under a line a device, what the columns mean, and the fastest.
[[nodiscard]] std::string comparison_table(const Comparison& comparison);

// JSON Lines: a `comparison` record with the devices, a `cell` record each, a `summary` record last. `seconds`: what
// the whole took.
[[nodiscard]] std::string comparison_records(const Comparison& comparison, const std::string& version, double seconds);

// Device time as bars, a group a device, CPU mode and deployment, a bar an algorithm; gains above the bars, as in
// seed 004, figures 5.1 and 5.2. Nothing to draw without a cell that is done.
struct Figure {
  std::string script; // for gnuplot
  int width;          // pixels
};
[[nodiscard]] Figure comparison_figure(const Comparison& comparison);
// The figure as SVG. Throws UsageError when gnuplot is missing or fails.
[[nodiscard]] std::string comparison_plot(const Comparison& comparison);

} // namespace tmd
