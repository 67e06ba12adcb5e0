// What the groups of the wide test are like: lines and denominators, counted on the host with the kernels' own text.
#pragma once

#include "search/plan.hpp"

#include <cstdint>

namespace tmd {

struct WideLines {
  std::uint64_t groups = 0;    // looked at, spread evenly over the interval
  double mean_lines = 0;       // of those that were not refused
  double most_lines = 0;       // likewise
  double mean_denominator = 0; // of their convergents, Q
  std::uint64_t refused = 0;   // for too many lines
};

// Looks at `groups` groups, or all where there are no more, of an interval that is planned for the wide test.
[[nodiscard]] WideLines sample_lines(const IntervalPlan& plan, std::uint64_t groups);

} // namespace tmd
