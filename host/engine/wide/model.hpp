// What the wide test will have to do, tried on the host with the kernels' own text.
#pragma once

#include "polynomial/taylor.hpp"

#include <cstdint>

namespace tmd {

// Of a group, on average.
struct WideExpectation {
  double lines = 0;
  double candidates = 0;
  double refused = 0; // share of the groups
};

// The bounds of cl_kernels/wide/lines.clh.
struct WideBounds {
  int group_bits = 0;
  double error = 0;
  double curvature = 0;
  double denominator_limit = 0;
  double most_lines = 0;
};

// Tries `groups` groups spread over the polynomial's interval.
[[nodiscard]] WideExpectation try_groups(const TaylorPolynomial& taylor, const WideBounds& bounds, int groups);

} // namespace tmd
