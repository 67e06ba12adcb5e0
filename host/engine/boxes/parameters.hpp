// Parameters of the boxes engine's kernels, in their layout (cl_kernels/boxes/layout.clh).
#pragma once

#include "engine/kernel_layout.hpp"

#include <cstddef>

namespace tmd::engine::boxes::layout {

using namespace kernel_layout;

// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/boxes/layout.clh"
// NOLINTEND
// clang-format on
static_assert(sizeof(layout::box_strip) == 160 && sizeof(layout::box_strip) % 8 == 0);

inline constexpr std::size_t most_strips = TMD_MOST_STRIPS;
inline constexpr int pair_bits = TMD_PAIR_BITS;
inline constexpr kernel_layout::u32 shares = TMD_SHARES;
[[nodiscard]] inline kernel_layout::u64 refused_entry(kernel_layout::u64 item, kernel_layout::i32 box) {
  return TMD_BOX_ENTRY(item, static_cast<kernel_layout::u32>(box));
}

} // namespace tmd::engine::boxes::layout
