// The parameters of a launch in the kernels' layout, and the names of integers that such texts expect in C++.
#pragma once

#include <cstdint>

namespace tmd::engine::kernel_layout {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

#include "cl_kernels/common/slice.clh" // NOLINT: OpenCL C
static_assert(sizeof(kernel_layout::launch_slice) == 24);

} // namespace tmd::engine::kernel_layout
