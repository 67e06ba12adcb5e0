// Limits for the private memory of a work-group. On a CPU one thread runs a whole work-group, and runtimes keep the
// private memory of its work-items on that thread's stack. A runtime that overruns it crashes, or overwrites other
// memory.
#pragma once

#include "opencl/device.hpp"

#include <cstdint>

namespace tmd::opencl {

// The most private bytes that a work-item of this program's kernels has, for runtimes that do not say: measured with
// PoCL, for the wide test in vectors of 16.
inline constexpr std::uint64_t most_private_bytes = std::uint64_t(16) << 10;

// The stack size in bytes of threads that this process starts: RLIMIT_STACK when it began, or less if that is
// unlimited.
[[nodiscard]] std::uint64_t thread_stack();

// The number of work-items that half of such a stack has room for, at least 1; the other half is the runtime's.
// private_bytes: for each work-item. No limit for devices other than CPUs.
[[nodiscard]] std::uint64_t work_items_on_stack(const DeviceDescription& device, std::uint64_t stack_bytes,
                                                std::uint64_t private_bytes = most_private_bytes);

} // namespace tmd::opencl
