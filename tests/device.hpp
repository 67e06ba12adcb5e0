// The device on which the tests run: what TMD_TEST_DEVICE names (as --device takes it), else the first usable one. All
// that a test opens on it shares a context: with one each, most of the time would go into making them.
#pragma once

#include "host/opencl/device.hpp"

#include <cstdlib>

namespace tmd {

inline const opencl::DeviceDescription& test_device() {
  static const opencl::DeviceDescription device = [] {
    const char* selector = std::getenv("TMD_TEST_DEVICE");
    return opencl::with_shared_context(
        opencl::select_device(opencl::list_devices(), selector == nullptr ? "" : selector));
  }();
  return device;
}

} // namespace tmd
