// What the kernels of the boxes engine are told, as they lay it out (cl_kernels/boxes/layout.clh).
#pragma once

#include "engine/kernel_layout.hpp"

#include <cstddef>

namespace tmd::boxes {

using namespace kernel_layout;

// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/boxes/layout.clh"
// NOLINTEND
// clang-format on
static_assert(sizeof(box_strip) == 152 && sizeof(box_strip) % 8 == 0);

inline constexpr std::size_t most_strips = TMD_MOST_STRIPS;
inline constexpr int pair_bits = TMD_PAIR_BITS;
inline constexpr u32 shares = TMD_SHARES;
[[nodiscard]] inline u64 refused_entry(u64 item, i32 box) { return TMD_BOX_ENTRY(item, static_cast<u32>(box)); }

} // namespace tmd::boxes
