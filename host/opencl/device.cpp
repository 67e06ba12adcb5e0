// How devices are found: the loader's platforms and devices are listed with what they report. Environment variables and
// signal handlers that loaders and LLVM change are restored afterwards.

#include "opencl/device.hpp"

#include "opencl/drivers.hpp"
#include "opencl/handles.hpp"
#include "opencl/pocl_cache.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::opencl {

namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string uuid_of(const DeviceDescription& description, const cl::Device& device) {
  constexpr cl_device_info device_uuid = 0x106A; // CL_DEVICE_UUID_KHR, which older headers do not define
  std::array<unsigned char, 16> bytes{};
  if (!description.has_extension("cl_khr_device_uuid") ||
      clGetDeviceInfo(device(), device_uuid, bytes.size(), bytes.data(), nullptr) != CL_SUCCESS)
    return {};
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

// Devices of OpenCL 1.2 and 2 know it only of kernels that have been built for them.
std::size_t preferred_multiple_of(const cl::Device& device) {
  constexpr cl_device_info preferred_multiple = 0x1067; // CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE of OpenCL 3.0
  std::size_t multiple = 0;
  return clGetDeviceInfo(device(), preferred_multiple, sizeof multiple, &multiple, nullptr) == CL_SUCCESS ? multiple
                                                                                                          : 0;
}

DeviceDescription describe(const cl::Platform& platform, const cl::Device& device) {
  DeviceDescription result;
  result.name = support::trimmed(device.getInfo<CL_DEVICE_NAME>());
  result.vendor = support::trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  result.platform = support::trimmed(platform.getInfo<CL_PLATFORM_NAME>());
  result.platform_version = support::trimmed(platform.getInfo<CL_PLATFORM_VERSION>());
  result.device_version = support::trimmed(device.getInfo<CL_DEVICE_VERSION>());
  result.language_version = support::trimmed(device.getInfo<CL_DEVICE_OPENCL_C_VERSION>());
  result.driver_version = support::trimmed(device.getInfo<CL_DRIVER_VERSION>());
  result.profile = support::trimmed(device.getInfo<CL_DEVICE_PROFILE>());
  result.extensions = support::trimmed(device.getInfo<CL_DEVICE_EXTENSIONS>());
  const cl_device_type type = device.getInfo<CL_DEVICE_TYPE>();
  result.set_type((type & CL_DEVICE_TYPE_GPU) != 0, (type & CL_DEVICE_TYPE_CPU) != 0,
                  (type & CL_DEVICE_TYPE_ACCELERATOR) != 0);
  result.available = device.getInfo<CL_DEVICE_AVAILABLE>() != 0;
  result.compiler = device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>() != 0;
  result.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  result.clock_mhz = device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>();
  result.native_long_width = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG>();
  constexpr cl_device_fp_config rounding = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
  result.fp32_is_ieee = (device.getInfo<CL_DEVICE_SINGLE_FP_CONFIG>() & rounding) == rounding;
  if (result.has_fp64()) {
    constexpr cl_device_fp_config ieee = CL_FP_ROUND_TO_NEAREST | CL_FP_DENORM | CL_FP_INF_NAN;
    result.fp64_is_ieee = (device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() & ieee) == ieee;
  }
  result.global_memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  result.largest_buffer = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  result.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  result.work_group_size = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  result.preferred_multiple = preferred_multiple_of(device);
  result.uuid = uuid_of(result, device);
  return result;
}

} // namespace

std::string_view to_string(DeviceClass device_class) {
  switch (device_class) {
  case DeviceClass::nvidia_gpu:
    return "nvidia-gpu";
  case DeviceClass::amd_gpu:
    return "amd-gpu";
  case DeviceClass::intel_gpu:
    return "intel-gpu";
  case DeviceClass::other_gpu:
    return "gpu";
  case DeviceClass::cpu:
    return "cpu";
  case DeviceClass::accelerator:
    break;
  }
  return "accelerator";
}

void DeviceDescription::set_type(bool gpu, bool cpu, bool accelerator) {
  is_cpu = cpu;
  is_gpu = gpu && !cpu;
  is_accelerator = accelerator && !cpu && !gpu;
}

DeviceClass DeviceDescription::device_class() const {
  if (is_accelerator)
    return DeviceClass::accelerator;
  if (!is_gpu)
    return DeviceClass::cpu;
  const std::string maker = lower_case(vendor);
  if (maker.find("nvidia") != std::string::npos)
    return DeviceClass::nvidia_gpu;
  if (maker.find("advanced micro devices") != std::string::npos || maker.find("amd") != std::string::npos)
    return DeviceClass::amd_gpu;
  if (maker.find("intel") != std::string::npos)
    return DeviceClass::intel_gpu;
  return DeviceClass::other_gpu;
}

unsigned DeviceDescription::simd_width() const {
  switch (device_class()) {
  case DeviceClass::nvidia_gpu:
    return 32;
  case DeviceClass::amd_gpu:
    // RDNA has waves of 32, GCN and CDNA of 64. ROCm names the instruction set, Mesa the chip.
    return name.rfind("gfx1", 0) == 0 || name.find("navi") != std::string::npos ? 32 : 64;
  case DeviceClass::intel_gpu:
  case DeviceClass::other_gpu:
  case DeviceClass::accelerator:
    return preferred_multiple >= 8 && preferred_multiple <= 64 ? static_cast<unsigned>(preferred_multiple) : 16;
  case DeviceClass::cpu:
    break;
  }
  return std::max(native_long_width, 1U);
}

bool DeviceDescription::has_extension(std::string_view extension) const {
  const std::string padded = " " + extensions + " ";
  return padded.find(fmt::format(" {} ", extension)) != std::string::npos;
}

std::string DeviceDescription::why_unusable() const {
  if (!available)
    return "it reports itself as not available";
  if (device_version.rfind("OpenCL 1.0", 0) == 0 || device_version.rfind("OpenCL 1.1", 0) == 0)
    return "it has an OpenCL older than 1.2";
  if (!compiler)
    return "it has no OpenCL C compiler";
  if (!has_int64())
    return "it has no 64-bit integers";
  return {};
}

namespace {

// Some loaders cut the value of their variable into pieces in place, and processes started later would get the first
// piece. The destructor sets it again.
class KeptVariable {
public:
  explicit KeptVariable(const char* name) : name_(name) {
    if (const char* value = std::getenv(name))
      value_ = value;
  }
  KeptVariable(const KeptVariable&) = delete;
  KeptVariable& operator=(const KeptVariable&) = delete;
  ~KeptVariable() {
    if (value_)
      ::setenv(name_, value_->c_str(), 1);
  }

private:
  const char* name_;
  std::optional<std::string> value_;
};

// LLVM, which is in many drivers, replaces this program's signal handlers: its own print a trace, and ignore the first
// SIGQUIT. The destructor sets ours again.
class KeptHandlers {
public:
  KeptHandlers() {
    for (std::size_t i = 0; i < signals.size(); ++i)
      (void)::sigaction(signals.at(i), nullptr, &actions_.at(i));
  }
  KeptHandlers(const KeptHandlers&) = delete;
  KeptHandlers& operator=(const KeptHandlers&) = delete;
  ~KeptHandlers() {
    for (std::size_t i = 0; i < signals.size(); ++i)
      (void)::sigaction(signals[i], &actions_[i], nullptr);
  }

private:
  static constexpr std::array<int, 8> signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL};
  std::array<struct sigaction, signals.size()> actions_{};
};

} // namespace

std::vector<cl::Platform> platform_handles() {
  (void)prepare_pocl_cache(); // before the first OpenCL call
  const KeptHandlers handlers;
  const KeptVariable drivers("OCL_ICD_FILENAMES");
  const KeptVariable layers("OPENCL_LAYERS");
  std::vector<cl::Platform> platforms;
  try {
    cl::Platform::get(&platforms);
  } catch (const cl::Error&) { // the loader's error if there is no platform
    platforms.clear();
  }
  return platforms;
}

std::vector<std::pair<cl::Platform, cl::Device>> device_handles() {
  const KeptHandlers handlers;
  std::vector<std::pair<cl::Platform, cl::Device>> handles;
  for (const cl::Platform& platform : platform_handles()) {
    std::vector<cl::Device> devices;
    try {
      platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error& error) {
      if (error.err() != CL_DEVICE_NOT_FOUND)
        fail(error, fmt::format("listing the devices of {}", platform.getInfo<CL_PLATFORM_NAME>()));
    }
    for (const cl::Device& device : devices) // a platform that the loader finds in two ways comes twice
      if (std::none_of(handles.begin(), handles.end(), [&](const auto& known) { return known.second() == device(); }))
        handles.emplace_back(platform, device);
  }
  return handles;
}

std::vector<DeviceDescription> list_devices() {
  const auto handles = device_handles();
  if (handles.empty())
    throw DeviceError(why_no_device());
  std::vector<DeviceDescription> devices;
  for (const auto& [platform, device] : handles) {
    try {
      devices.push_back(describe(platform, device));
    } catch (const cl::Error& error) {
      fail(error, "querying an OpenCL device");
    }
    devices.back().index = devices.size() - 1;
  }
  return devices;
}

const DeviceDescription& select_device(const std::vector<DeviceDescription>& devices, std::string_view selector) {
  const auto usable = [](const DeviceDescription& device) -> const DeviceDescription& {
    if (const std::string reason = device.why_unusable(); !reason.empty())
      throw DeviceError(fmt::format("device {} ({}) cannot be used: {}", device.index, device.name, reason));
    return device;
  };
  const auto first = [&](auto&& fits) -> const DeviceDescription* {
    // Among those that fit, the first usable one.
    const DeviceDescription* found = nullptr;
    for (const DeviceDescription& device : devices)
      if (fits(device) && (found == nullptr || !found->why_unusable().empty()))
        found = &device;
    return found;
  };

  const DeviceDescription* found = nullptr;
  std::size_t index = 0;
  const char* end = selector.data() + selector.size();
  if (selector.empty()) {
    found =
        first([](const DeviceDescription& d) { return (d.is_gpu || d.is_accelerator) && d.why_unusable().empty(); });
    if (found == nullptr)
      found = first([](const DeviceDescription&) { return true; });
  } else if (const auto parsed = std::from_chars(selector.data(), end, index);
             parsed.ec == std::errc() && parsed.ptr == end) {
    found = index < devices.size() ? &devices[index] : nullptr;
  } else if (selector == "gpu") {
    found = first([](const DeviceDescription& d) { return d.is_gpu; });
  } else if (selector == "cpu") {
    found = first([](const DeviceDescription& d) { return d.is_cpu; });
  } else if (selector == "accelerator") {
    found = first([](const DeviceDescription& d) { return d.is_accelerator; });
  } else {
    const std::string part = lower_case(selector);
    found = first([&](const DeviceDescription& d) {
      return lower_case(d.name).find(part) != std::string::npos ||
             lower_case(d.platform).find(part) != std::string::npos;
    });
  }
  if (found == nullptr)
    throw DeviceError(fmt::format("no device fits '{}'; `tmd devices` lists all devices", selector));
  return usable(*found);
}

std::vector<DeviceDescription> all_devices(const std::vector<DeviceDescription>& devices,
                                           std::vector<std::string>& left_out) {
  std::vector<DeviceDescription> result;
  for (const DeviceDescription& device : devices) {
    std::string reason = device.why_unusable();
    for (const DeviceDescription& known : result)
      if (known.platform != device.platform &&
          ((known.is_cpu && device.is_cpu) || (!device.uuid.empty() && known.uuid == device.uuid)))
        reason = fmt::format("it is device {} once more, by another platform", known.index);
    if (reason.empty())
      result.push_back(device);
    else
      left_out.push_back(
          fmt::format("device {} ({}, {}) is left out: {}", device.index, device.name, device.platform, reason));
  }
  if (result.empty())
    throw DeviceError("no device can be used; `tmd devices` says why");
  return result;
}

} // namespace tmd::opencl
