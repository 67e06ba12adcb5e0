// The device on which the tests run: what TMD_TEST_DEVICE names (as --device takes it), else the first usable
// one.
#pragma once

#include "host/opencl/device.hpp"

#include <cstdlib>

namespace tmd {

inline const opencl::DeviceDescription& test_device() {
  static const std::vector<opencl::DeviceDescription> devices = opencl::list_devices();
  const char* selector = std::getenv("TMD_TEST_DEVICE");
  return opencl::select_device(devices, selector == nullptr ? "" : selector);
}

} // namespace tmd
