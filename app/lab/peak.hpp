// The peak speed of a device.
#pragma once

#include "opencl/device.hpp"

namespace tmd {

// The number of fused multiply-adds in float that the device does in a second, in all lanes of vectors of
// 2^vector_bits. Throws DeviceError if the device fails.
[[nodiscard]] double peak_operations(const opencl::DeviceDescription& device, int vector_bits);

} // namespace tmd
