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

} // namespace tmd::boxes
