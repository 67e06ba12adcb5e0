// OpenCL handles shared by the files of this folder; not for others.
#pragma once

#include "opencl/cl.hpp"

#include <utility>
#include <vector>

namespace tmd::opencl {

// Every device with its platform, in the order of list_devices().
[[nodiscard]] std::vector<std::pair<cl::Platform, cl::Device>> device_handles();

} // namespace tmd::opencl
