// The peak speed of a device.
#pragma once

#include "opencl/device.hpp"

namespace tmd {

// Fused multiply-adds in float that the device does in a second, in all lanes of vectors of 2^vector_bits. Throws
// DeviceError when the device fails.
[[nodiscard]] double peak_operations(const opencl::DeviceDescription& device, int vector_bits);

} // namespace tmd
