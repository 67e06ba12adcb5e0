// Tries the engines of a device for `tmd doctor`.
#pragma once

#include "opencl/device.hpp"

#include <string_view>

namespace tmd::app {

// Prints a line of the report: "ok", or what to do.
void tell(bool ok, std::string_view what, std::string_view text);

// Tries every engine on the device, each in a process of its own, so that a crashing driver ends only that process.
// Returns whether all of them find the cases that they should.
bool check_engines(const opencl::DeviceDescription& device, bool foreign_kernels);

} // namespace tmd::app
