// Parameters of the phase walk's kernels, in their layout (cl_kernels/phase/layout.clh).
#pragma once

#include "engine/kernel_layout.hpp"

#include <cstddef>

namespace tmd::engine::phase::layout {

using namespace kernel_layout;

// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/phase/layout.clh"
// NOLINTEND
// clang-format on

inline constexpr std::size_t start_words = TMD_START_WORDS;
inline constexpr int most_targets = TMD_MOST_TARGETS;
inline constexpr int targets_of_one = TMD_TARGETS_OF_ONE;
inline constexpr int robust_bits = TMD_ROBUST_BITS;
inline constexpr int coefficient_bits = TMD_COEFFICIENT_BITS;
inline constexpr int slope_shift = TMD_SLOPE_SHIFT;
inline constexpr int found_bits = TMD_FOUND_BITS;
[[nodiscard]] inline kernel_layout::u64 found_entry(kernel_layout::i64 m, int target) {
  return TMD_FOUND_ENTRY(m, target);
}
inline constexpr std::size_t table_words(unsigned degree) { return TMD_TABLE_WORDS(degree); }

} // namespace tmd::engine::phase::layout
