// OpenCL handles shared by the files of this folder; not for other folders.
#pragma once

#include "opencl/cl.hpp"

#include <utility>
#include <vector>

namespace tmd::opencl {

// Every platform, in the loader's order; empty if the loader finds none.
[[nodiscard]] std::vector<cl::Platform> platform_handles();

// Every device with its platform, in the order of list_devices().
[[nodiscard]] std::vector<std::pair<cl::Platform, cl::Device>> device_handles();

struct Context {
  cl::Context context;
};

} // namespace tmd::opencl
