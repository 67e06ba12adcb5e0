// How `tmd doctor` tries the engines of a device.
#pragma once

#include "opencl/device.hpp"

#include <string_view>

namespace tmd::app {

// Prints a line of the doctor's: "ok", or what there is to do.
void tell(bool ok, std::string_view what, std::string_view text);

// Tries every engine on the device, each in a process of its own: a driver that crashes ends no more than that. Whether
// all of them find what they must.
bool check_engines(const opencl::DeviceDescription& device, bool foreign_kernels);

} // namespace tmd::app
