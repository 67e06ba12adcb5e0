// The OpenCL devices of this machine, with the properties that this program needs.
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
  std::size_t index = 0; // position in list_devices(), and value of --device
  std::string name;
  std::string vendor;
  std::string platform;
  std::string platform_version;
  std::string device_version;   // "OpenCL 3.0 …"
  std::string language_version; // "OpenCL C 1.2 …"
  std::string driver_version;
  std::string profile; // FULL_PROFILE or EMBEDDED_PROFILE
  std::string extensions;
  std::string uuid; // the same for a device on every platform that offers it; empty if not reported
  std::string host; // the device's machine, in searches on many; empty: this one
  bool is_gpu = false;
  bool is_cpu = false;
  bool is_accelerator = false;
  bool available = true;
  bool compiler = true;
  std::uint32_t compute_units = 0;
  std::uint32_t clock_mhz = 0;
  std::uint32_t native_long_width = 0; // 64-bit integers in one vector instruction, as the device reports
  std::size_t preferred_multiple = 0;  // of work-items in a work-group, as OpenCL 3.0 reports it; 0: not reported
  bool fp32_is_ieee = true;            // FP32 rounds to nearest and has infinities and NaNs
  bool fp64_is_ieee = false;           // FP64 rounds to nearest and has subnormal numbers, infinities and NaNs
  std::uint64_t global_memory = 0;     // bytes
  std::uint64_t largest_buffer = 0;    // bytes
  std::uint64_t local_memory = 0;      // bytes
  std::size_t work_group_size = 0;
  std::shared_ptr<Builders> builders;     // processes that build programs for the device; may be null
  std::shared_ptr<const Context> context; // shared by all users of the device; usually none: each has its own

  // Sets the type from what the device reports; a simulator that reports every type runs on the CPU.
  void set_type(bool gpu, bool cpu, bool accelerator);
  [[nodiscard]] DeviceClass device_class() const;
  // Work-items that run in lockstep: the width for divergence statistics. GPUs other than NVIDIA's and AMD's are asked:
  // kernels of Intel's take 8, 16 or 32. Answers outside 8 to 64 do not count.
  [[nodiscard]] unsigned simd_width() const;
  [[nodiscard]] bool has_extension(std::string_view extension) const;
  [[nodiscard]] bool has_fp64() const { return has_extension("cl_khr_fp64"); }
  // The full profile has 64-bit integers, the embedded one only by extension.
  [[nodiscard]] bool has_int64() const { return profile != "EMBEDDED_PROFILE" || has_extension("cles_khr_int64"); }
  // Why this program cannot use the device, or nothing.
  [[nodiscard]] std::string why_unusable() const;
};

// Every device of every platform, in the platforms' order. Throws DeviceError if there is no platform.
[[nodiscard]] std::vector<DeviceDescription> list_devices();

// The device that a selector names: an index, `gpu`, `cpu`, `accelerator`, or a part of a name (any case); an empty
// selector takes the first usable GPU or accelerator, else the first usable device. Throws DeviceError if none fits or
// the one that does is unusable.
[[nodiscard]] const DeviceDescription& select_device(const std::vector<DeviceDescription>& devices,
                                                     std::string_view selector);

// Every usable device, each piece of hardware once: a CPU, or a device of the same UUID, that an earlier platform has
// offered is left out. `left_out` gets a sentence for each device that is left out. Throws DeviceError if there is no
// usable device.
[[nodiscard]] std::vector<DeviceDescription> all_devices(const std::vector<DeviceDescription>& devices,
                                                         std::vector<std::string>& left_out);

// The device with a context that all its users share. PoCL reads its library of functions for each new context, which
// takes a third of a second; but a context that a fault has broken stays broken for all. Throws DeviceError.
[[nodiscard]] DeviceDescription with_shared_context(DeviceDescription device);

} // namespace tmd::opencl
