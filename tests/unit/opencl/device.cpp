// Devices as drivers describe them: class, SIMD width, abilities, selection.
#include "host/opencl/device.hpp"
#include "tmd/error.hpp"
#include "unit/captured_devices.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tmd::opencl {
using namespace tmd::captured;

namespace {

opencl::DeviceDescription device(std::size_t index, const char* name, const char* vendor, char kind) {
  opencl::DeviceDescription result;
  result.index = index;
  result.name = name;
  result.vendor = vendor;
  result.platform = "Platform of " + result.vendor;
  result.profile = "FULL_PROFILE";
  result.is_gpu = kind == 'g';
  result.is_cpu = kind == 'c';
  result.is_accelerator = kind == 'a';
  return result;
}

} // namespace

TEST_CASE("class and SIMD width of devices of every kind") {
  for (const Captured& one : all) {
    INFO(one.name, " of ", one.platform);
    const DeviceDescription device = describe(one);
    CHECK(to_string(device.device_class()) == to_string(one.device_class));
    CHECK(device.simd_width() == one.simd_width);
    CHECK(static_cast<int>(device.is_cpu) + static_cast<int>(device.is_gpu) + static_cast<int>(device.is_accelerator) ==
          1);
  }
}

TEST_CASE("what devices can do is read from their extensions and profile") {
  for (const Captured& one : all) {
    INFO(one.name);
    const DeviceDescription device = describe(one);
    const std::string name = one.name;
    const bool without_fp64 = name.find("Iris(R) Xe") != std::string::npos || name.find("Arc") != std::string::npos ||
                              device.device_class() == DeviceClass::other_gpu;
    CHECK(device.has_fp64() != without_fp64);
    const bool embedded = name.find("Vivante") != std::string::npos;
    const bool old = device.platform == "Clover";
    CHECK(device.why_unusable().empty() == (!embedded && !old));
  }
  DeviceDescription device = describe(all[0]);
  device.extensions = "cl_khr_fp64_extended xcl_khr_fp64";
  CHECK_FALSE(device.has_fp64());
  device.extensions = "cl_khr_fp64";
  CHECK(device.has_fp64());
  device.profile = "EMBEDDED_PROFILE";
  CHECK(device.why_unusable().find("64-bit integers") != std::string::npos);
  device.extensions += " cles_khr_int64";
  CHECK(device.why_unusable().empty());
  device.device_version = "OpenCL 1.1 CUDA";
  CHECK(device.why_unusable().find("older than 1.2") != std::string::npos);
  device.device_version = "OpenCL 1.2 CUDA";
  device.compiler = false;
  CHECK(device.why_unusable().find("compiler") != std::string::npos);
  device.available = false;
  CHECK(device.why_unusable().find("not available") != std::string::npos);
}

TEST_CASE("selection among the devices of a machine") {
  const auto devices =
      machine({"pthread-skylake-avx512-AMD EPYC", "Vivante OpenCL Device GC7000XSVX.6214.0000",
               "Intel(R) Many Integrated Core Acceleration Card", "gfx906:sramecc+:xnack-", "NVIDIA H200", "AMD EPYC"});
  const auto selected = [&](std::string_view selector) { return opencl::select_device(devices, selector).index; };
  CHECK(selected("") == 2); // the first usable GPU or accelerator
  CHECK(selected("gpu") == 3);
  CHECK(selected("cpu") == 0);
  CHECK(selected("accelerator") == 2);
  CHECK(selected("5") == 5);
  CHECK(selected("many integrated core") == 2);
  CHECK(selected("GFX906") == 3);
  CHECK(selected("cuda") == 4); // the platform's name
  CHECK(selected("epyc") == 0);
  CHECK(selected("intel(r) opencl") == 2);
  CHECK_THROWS_AS((void)selected("6"), DeviceError);
  CHECK_THROWS_AS((void)selected("-1"), DeviceError);
  CHECK_THROWS_AS((void)selected("radeon"), DeviceError);
  try {
    (void)selected("vivante");
    FAIL("an unusable device was selected");
  } catch (const DeviceError& error) {
    CHECK(std::string(error.what()) ==
          "device 1 (Vivante OpenCL Device GC7000XSVX.6214.0000) cannot be used: it has no 64-bit integers");
  }
  // There is no usable GPU: the first usable device is taken.
  const auto poor = machine({"Vivante OpenCL Device GC7000XSVX.6214.0000", "cpu-cortex-a72"});
  CHECK(opencl::select_device(poor, "").index == 1);
  CHECK_THROWS_AS((void)opencl::select_device(poor, "gpu"), DeviceError);
  CHECK_THROWS_AS((void)opencl::select_device(poor, "accelerator"), DeviceError);
}

TEST_CASE("devices: classes, selectors, and why one cannot be used") {
  using opencl::DeviceClass;
  std::vector<opencl::DeviceDescription> devices{device(0, "Xeon", "GenuineIntel", 'c'),
                                                 device(1, "Old GPU", "Advanced Micro Devices, Inc.", 'g'),
                                                 device(2, "NVIDIA H200", "NVIDIA Corporation", 'g'),
                                                 device(3, "Arc", "Intel(R) Corporation", 'g'),
                                                 device(4, "Phi", "Intel", 'a'),
                                                 device(5, "Mali", "ARM", 'g')};
  const DeviceClass classes[] = {DeviceClass::cpu,       DeviceClass::amd_gpu,     DeviceClass::nvidia_gpu,
                                 DeviceClass::intel_gpu, DeviceClass::accelerator, DeviceClass::other_gpu};
  for (std::size_t i = 0; i < devices.size(); ++i)
    CHECK(devices[i].device_class() == classes[i]);
  CHECK(devices[2].simd_width() == 32);
  CHECK(devices[1].simd_width() == 64);
  CHECK(devices[3].simd_width() == 16); // as long as the device does not say
  devices[3].preferred_multiple = 32;
  CHECK(devices[3].simd_width() == 32);
  devices[3].preferred_multiple = 1;
  CHECK(devices[3].simd_width() == 16);
  devices[3].preferred_multiple = 128;
  CHECK(devices[3].simd_width() == 16);

  const auto selected = [&](const char* selector) { return opencl::select_device(devices, selector).index; };
  CHECK(selected("") == 1); // the first GPU
  CHECK(selected("gpu") == 1);
  CHECK(selected("cpu") == 0);
  CHECK(selected("accelerator") == 4);
  CHECK(selected("3") == 3);
  CHECK(selected("h200") == 2);
  CHECK(selected("platform of arm") == 5);
  for (const char* selector : {"6", "99999999999999999999", "-1", "tpu"})
    CHECK_THROWS_AS((void)selected(selector), DeviceError);

  devices[1].compiler = false;
  CHECK_FALSE(devices[1].why_unusable().empty());
  CHECK(selected("") == 2); // a usable device comes first
  CHECK(selected("gpu") == 2);
  CHECK_THROWS_AS((void)selected("1"), DeviceError); // it was asked for by number: the error says why not
  CHECK_THROWS_AS((void)selected("old"), DeviceError);
  devices[2].available = false;
  CHECK(selected("") == 3);
  devices[3].profile = "EMBEDDED_PROFILE";
  CHECK_FALSE(devices[3].has_int64());
  CHECK(selected("") == 4);
  devices[3].extensions = "cl_khr_fp64 cles_khr_int64";
  CHECK(devices[3].why_unusable().empty());
  CHECK(devices[3].has_fp64());
  CHECK_FALSE(devices[3].has_extension("cl_khr_fp6")); // whole words come first
  CHECK(selected("") == 3);
  for (auto& one : devices)
    one.available = false;
  CHECK_THROWS_AS((void)selected(""), DeviceError);
  CHECK_THROWS_AS((void)opencl::select_device({}, ""), DeviceError);
}

TEST_CASE("all devices: usable ones, each piece of hardware once") {
  std::vector<opencl::DeviceDescription> devices{
      device(0, "Xeon", "GenuineIntel", 'c'), device(1, "H200", "NVIDIA", 'g'), device(2, "H200", "NVIDIA", 'g'),
      device(3, "Old GPU", "AMD", 'g'),       device(4, "Xeon", "PoCL", 'c'),   device(5, "Xeon", "GenuineIntel", 'c'),
      device(6, "H200", "PoCL", 'g')};
  devices[1].uuid = "01";
  devices[2].uuid = "02";
  devices[6].uuid = "02";
  devices[3].available = false;
  std::vector<std::string> left_out;
  std::vector<std::size_t> indices;
  for (const auto& one : opencl::all_devices(devices, left_out))
    indices.push_back(one.index);
  // A platform lists a device of its own twice only when it is asked to.
  CHECK(indices == std::vector<std::size_t>{0, 1, 2, 5});
  REQUIRE(left_out.size() == 3);
  CHECK(left_out[0].find("device 3 (Old GPU, Platform of AMD) is left out: it reports itself") == 0);
  CHECK(left_out[1].find("device 4 (Xeon, Platform of PoCL) is left out: it is device 0 once more") == 0);
  CHECK(left_out[2].find("it is device 2 once more") != std::string::npos);
  for (auto& one : devices)
    one.compiler = false;
  CHECK_THROWS_AS((void)opencl::all_devices(devices, left_out), DeviceError);
}

} // namespace tmd::opencl
