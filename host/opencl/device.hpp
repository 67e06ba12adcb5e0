// The OpenCL devices of this machine, as far as this program cares.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tmd::opencl {

enum class DeviceClass { nvidia_gpu, amd_gpu, intel_gpu, other_gpu, cpu, accelerator };

[[nodiscard]] std::string_view to_string(DeviceClass device_class);

class Builders;
struct Context;

// One device, described by what its platform reports.
struct DeviceDescription {
  std::size_t index = 0; // position in list_devices(), what --device takes
  std::string name;
  std::string vendor;
  std::string platform;
  std::string platform_version;
  std::string device_version;   // "OpenCL 3.0 …"
  std::string language_version; // "OpenCL C 1.2 …"
  std::string driver_version;
  std::string profile; // FULL_PROFILE or EMBEDDED_PROFILE
  std::string extensions;
  std::string uuid; // the same for a device on every platform that offers it; empty where it does not tell
  std::string host; // the machine that it belongs to, in searches on many; empty: this one
  bool is_gpu = false;
  bool is_cpu = false;
  bool is_accelerator = false;
  bool available = true;
  bool compiler = true;
  std::uint32_t compute_units = 0;
  std::uint32_t clock_mhz = 0;
  std::uint32_t native_long_width = 0; // 64-bit integers in one vector instruction, as the device reports
  bool fp32_is_ieee = true;            // FP32 rounds to nearest and has infinities and NaNs
  bool fp64_is_ieee = false;           // FP64 rounds to nearest and has subnormal numbers, infinities and NaNs
  std::uint64_t global_memory = 0;     // bytes
  std::uint64_t largest_buffer = 0;    // bytes
  std::uint64_t local_memory = 0;      // bytes
  std::size_t work_group_size = 0;
  std::shared_ptr<Builders> builders;     // that build programs for the device beside this process; may be null
  std::shared_ptr<const Context> context; // that all share who open the device; usually none: each has its own

  // From the types that the device reports: a simulator may say that it is everything; it runs on the CPU.
  void set_type(bool gpu, bool cpu, bool accelerator);
  [[nodiscard]] DeviceClass device_class() const;
  // Work-items that run in lockstep: the width for divergence statistics.
  [[nodiscard]] unsigned simd_width() const;
  [[nodiscard]] bool has_extension(std::string_view extension) const;
  [[nodiscard]] bool has_fp64() const { return has_extension("cl_khr_fp64"); }
  // The full profile has 64-bit integers, the embedded one only by extension.
  [[nodiscard]] bool has_int64() const { return profile != "EMBEDDED_PROFILE" || has_extension("cles_khr_int64"); }
  // Why this program cannot use the device, or nothing.
  [[nodiscard]] std::string why_unusable() const;
};

// Every device of every platform, in the platforms' order. Throws DeviceError when there is no platform.
[[nodiscard]] std::vector<DeviceDescription> list_devices();

// The device that a selector names: an index, `gpu`, `cpu`, `accelerator`, or a part of a name (any case); an empty
// selector takes the first usable GPU or accelerator, else the first usable device.
// Throws DeviceError when none fits or the one that does is unusable.
[[nodiscard]] const DeviceDescription& select_device(const std::vector<DeviceDescription>& devices,
                                                     std::string_view selector);

// Every device that can be used, each piece of hardware once: a CPU, or a device of the same UUID, that another
// platform has offered before is left out. `left_out` gets a sentence for each device that is not among them. Throws
// DeviceError when no device can be used.
[[nodiscard]] std::vector<DeviceDescription> all_devices(const std::vector<DeviceDescription>& devices,
                                                         std::vector<std::string>& left_out);

// The device with a context for all who open it. PoCL reads its library of functions anew for each context, a third of
// a second; but a context that a fault has broken stays broken for all. Throws DeviceError.
[[nodiscard]] DeviceDescription with_shared_context(DeviceDescription device);

} // namespace tmd::opencl
