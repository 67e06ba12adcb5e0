// Numbers that the wide test's host and kernels agree on: model.cpp and reference.cpp, which include the kernels' text
// (cl_kernels/wide/constants.clh and lines.clh), assert that they do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tmd::engine::wide {

// cl_kernels/wide/lines.clh, where they are derived from: of slope + bend of a group's lines, and of M.
inline constexpr double wide_line_rounding = 0x1p-20;
inline constexpr double wide_root_rounding = 0x1p-19;
// Denominators.
inline constexpr double most_denominator = 0x1p22;
// Lines that a group or a part may have at most: they are numbered in float, and rounded to integers below 2^22.
inline constexpr float wide_most_lines = 65536;

// Lines of a group beside its first, in vectors of the lane that has most: with no more of them the filter's set-up
// costs more than it spares.
[[nodiscard]] constexpr float unfiltered_lines(std::int64_t lanes) { return lanes == 1 ? 8 : 32; }

// log2 of a group's parts: the larger they are, the more members a part tries near a root; the smaller, the more parts
// a refused group has. Small enough for members_near (lines.clh: M ≤ 2^21).
[[nodiscard]] constexpr int part_bits_of(int group_bits) {
  return std::min(std::max(1, (group_bits - 14) / 2), group_bits - 2);
}

// cl_kernels/wide/polynomial.clh: log2 of a sub-interval's arguments, the degree that sub-intervals keep, the 32-bit
// numbers of a sub-interval's record and those of them that are limbs, and the units of 2^−64 that Horner's scheme may
// lose in a value and in a slope.
inline constexpr int most_sub_bits = 32;
inline constexpr int sub_interval_degree = 4;
inline constexpr std::size_t record_size = 24;
inline constexpr std::size_t record_limbs = 20;
inline constexpr unsigned horner_of_value = 10;
inline constexpr unsigned horner_of_slope = 30;

// cl_kernels/wide/sources.clh: words that say what sub-intervals are made of, for each interval.
inline constexpr std::size_t source_words = 4;

// cl_kernels/wide/shift.clh: words of the interval's coefficients, and those of them that are before the point.
inline constexpr int least_coefficient_words = 4;
inline constexpr int most_coefficient_words = 10;
inline constexpr int whole_coefficient_words = 2;
inline constexpr int usual_coefficient_words = 6;
// Sub-intervals of an interval are numbered with 32 bits.
inline constexpr int most_sub_interval_bits = 32;

} // namespace tmd::engine::wide
