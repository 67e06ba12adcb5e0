// Numbers that the wide test's host and kernels agree on: model.cpp and reference.cpp, which include the kernels' text
// (cl_kernels/wide/constants.clh and lines.clh), assert that they do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tmd::engine::wide {

// cl_kernels/wide/lines.clh, where they are derived: rounding errors of slope + bend of a group's lines, and of M.
inline constexpr double wide_line_rounding = 0x1p-20;
inline constexpr double wide_root_rounding = 0x1p-19;
// The largest denominator.
inline constexpr double most_denominator = 0x1p22;
// Most lines of a group or a part: they are numbered in float, and rounded to integers below 2^22.
inline constexpr float wide_most_lines = 65536;
// cl_kernels/wide/parts.cl: members of a class that a part tries for one root.
inline constexpr float most_members = 1024;

// Lines of a group beside its first, in vectors of the lane that has most: for fewer, the filter's set-up costs more
// than it saves.
[[nodiscard]] constexpr float unfiltered_lines(std::int64_t lanes) { return lanes == 1 ? 8 : 32; }

// log2 of a group's parts: the larger they are, the more members a part tries near a root; the smaller, the more parts
// a refused group has. Small enough for members_near (lines.clh: M ≤ 2^21).
[[nodiscard]] constexpr int part_bits_of(int group_bits) {
  return std::min(std::max(1, (group_bits - 14) / 2), group_bits - 2);
}

// cl_kernels/wide/polynomial.clh: log2 of a sub-interval's arguments, the degree that sub-intervals keep, the number of
// 32-bit words of a record and of its limbs, and the units of 2^−64 that Horner's scheme may lose in a value and in a
// slope.
inline constexpr int most_sub_bits = 32;
inline constexpr int sub_interval_degree = 4;
inline constexpr std::size_t record_size = 24;
inline constexpr std::size_t record_limbs = 20;
inline constexpr unsigned horner_of_value = 10;
inline constexpr unsigned horner_of_slope = 30;

// cl_kernels/wide/sources.clh: words for each interval that say how sub-intervals are made.
inline constexpr std::size_t source_words = 4;

// cl_kernels/wide/shift.clh: words of the interval's coefficients, and those of them that are before the point.
inline constexpr int least_coefficient_words = 4;
inline constexpr int most_coefficient_words = 10;
inline constexpr int whole_coefficient_words = 2;
inline constexpr int usual_coefficient_words = 6;
// The numbers of an interval's sub-intervals have 32 bits.
inline constexpr int most_sub_interval_bits = 32;

} // namespace tmd::engine::wide
