// The kernels' sources as a whole.
#pragma once

#include <string>

namespace tmd::opencl {

// Hash of every kernel file: results and times of other kernels are not comparable. Throws DeviceError when the files
// cannot be read.
[[nodiscard]] std::string kernel_digest();

} // namespace tmd::opencl
