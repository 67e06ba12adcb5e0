// Predicts the work of the wide test by trying groups on the host, with the kernels' own text.
#pragma once

#include "polynomial/taylor.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace tmd::engine::wide {

// Averages over groups.
struct WideExpectation {
  double lines = 0;
  double filtered_lines = 0; // lines that the filter looks at first (cl_kernels/wide/filter.clh)
  double candidates = 0;
  double chords = 0; // chords along classes of which several members may count (cl_kernels/wide/crowded.clh)
  double parts = 0;  // parts that are searched by themselves
};

// The bounds of cl_kernels/wide/lines.clh.
struct WideBounds {
  int group_bits = 0;
  double error = 0;
  double curvature = 0;
  double denominator_limit = 0;
  double most_lines = 0;
};

// The polynomial c0 + c1·i + c2·i² of a group, whatever its size: c0 and c1 modulo 1, in units of 2^−64.
struct WideSample {
  std::uint64_t c0 = 0;
  std::uint64_t c1 = 0;
  double c2 = 0;
};

// Samples of `groups` groups spread over the polynomial's interval.
[[nodiscard]] std::vector<WideSample> sample_groups(const polynomial::TaylorPolynomial& taylor, int groups);

// Tries the groups. Stops if they have more than `most_lines` on average: the results are lower bounds then.
[[nodiscard]] WideExpectation try_groups(const std::vector<WideSample>& groups, const WideBounds& bounds,
                                         double most_lines = std::numeric_limits<double>::infinity());

} // namespace tmd::engine::wide
