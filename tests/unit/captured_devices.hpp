// Devices as drivers describe them, most of them not at hand.
#pragma once

#include "host/opencl/device.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace tmd::captured {

using opencl::DeviceClass;
using opencl::DeviceDescription;

enum Type { gpu = 1, cpu = 2, accelerator = 4 };

inline constexpr std::uint64_t mebibyte = std::uint64_t(1) << 20;

struct Captured {
  const char* name;
  const char* vendor;
  const char* platform;
  const char* version;
  Type type;
  std::uint32_t compute_units;
  std::uint32_t native_long_width;
  std::uint64_t memory_mib;
  std::uint64_t largest_buffer_mib;
  std::uint64_t local_memory;
  std::size_t work_group_size;
  const char* extensions;
  const char* profile;
  // The properties that the program should derive.
  DeviceClass device_class;
  unsigned simd_width;
};

inline constexpr const char* full = "FULL_PROFILE";
inline constexpr const char* atomics = "cl_khr_global_int32_base_atomics cl_khr_local_int32_base_atomics "
                                       "cl_khr_byte_addressable_store";
inline constexpr const char* with_fp64 = "cl_khr_global_int32_base_atomics cl_khr_local_int32_base_atomics "
                                         "cl_khr_byte_addressable_store cl_khr_fp64";
inline constexpr const char* old_amd =
    "cl_khr_global_int32_base_atomics cl_khr_fp64 cl_amd_fp64 cl_khr_int64_base_atomics";
inline constexpr const char* intel_cpu =
    "cl_khr_fp64 cl_khr_subgroup_ballot cl_intel_subgroups cl_intel_subgroups_long";
inline constexpr const char* intel_gpu =
    "cl_khr_byte_addressable_store cl_khr_fp64 cl_intel_subgroups cl_khr_subgroups";
inline constexpr const char* intel_gpu_without_fp64 = "cl_khr_byte_addressable_store cl_khr_fp16 cl_intel_subgroups";

inline const Captured all[] = {
    // Xeon Phi coprocessors (Knights Corner).
    {"Intel(R) Many Integrated Core Acceleration Card", "Intel(R) Corporation", "Intel(R) OpenCL",
     "OpenCL 1.2 (Build 56860)", accelerator, 236, 8, 5773, 1924, 32768, 8192, with_fp64, full,
     DeviceClass::accelerator, 16},
    {"Intel(R) FPGA Emulation Device", "Intel(R) Corporation", "Intel(R) FPGA Emulation Platform for OpenCL(TM)",
     "OpenCL 1.2", accelerator, 16, 8, 64000, 64000, 262144, 67108864, with_fp64, full, DeviceClass::accelerator, 16},
    // AMD's devices: GCN under Catalyst, Clover, ROCm and Rusticl; CDNA; RDNA.
    {"Tahiti", "Advanced Micro Devices, Inc.", "AMD Accelerated Parallel Processing", "OpenCL 1.2 AMD-APP (1642.5)",
     gpu, 32, 1, 3072, 2048, 32768, 256, old_amd, full, DeviceClass::amd_gpu, 64},
    {"AMD Radeon HD 7900 Series (TAHITI / DRM 2.50.0 / 5.10, LLVM 11.0.1)", "AMD", "Clover", "OpenCL 1.1 Mesa 20.3.5",
     gpu, 32, 1, 3072, 2048, 32768, 256, with_fp64, full, DeviceClass::amd_gpu, 64},
    {"gfx803", "Advanced Micro Devices, Inc.", "AMD Accelerated Parallel Processing", "OpenCL 1.2", gpu, 36, 1, 8192,
     6963, 65536, 256, with_fp64, full, DeviceClass::amd_gpu, 64},
    {"gfx906:sramecc+:xnack-", "Advanced Micro Devices, Inc.", "AMD Accelerated Parallel Processing", "OpenCL 2.0", gpu,
     60, 1, 16368, 13912, 65536, 256, with_fp64, full, DeviceClass::amd_gpu, 64},
    {"gfx90a:sramecc+:xnack-", "Advanced Micro Devices, Inc.", "AMD Accelerated Parallel Processing", "OpenCL 2.0", gpu,
     104, 1, 65520, 55692, 65536, 256, with_fp64, full, DeviceClass::amd_gpu, 64},
    {"gfx942:sramecc+:xnack-", "Advanced Micro Devices, Inc.", "AMD Accelerated Parallel Processing", "OpenCL 2.0", gpu,
     304, 1, 196592, 167103, 65536, 256, with_fp64, full, DeviceClass::amd_gpu, 64},
    {"gfx1030", "Advanced Micro Devices, Inc.", "AMD Accelerated Parallel Processing", "OpenCL 2.0", gpu, 36, 1, 16368,
     13912, 65536, 256, with_fp64, full, DeviceClass::amd_gpu, 32},
    {"gfx1100", "Advanced Micro Devices, Inc.", "AMD Accelerated Parallel Processing", "OpenCL 2.0", gpu, 48, 1, 24560,
     20876, 65536, 256, with_fp64, full, DeviceClass::amd_gpu, 32},
    {"AMD Radeon RX 6800 XT (radeonsi, navi21, LLVM 17.0.6, DRM 3.57, 6.8.0)", "AMD", "rusticl", "OpenCL 3.0", gpu, 72,
     1, 16384, 4096, 32768, 1024, with_fp64, full, DeviceClass::amd_gpu, 32},
    // NVIDIA's devices.
    {"Tesla K20c", "NVIDIA Corporation", "NVIDIA CUDA", "OpenCL 1.2 CUDA", gpu, 13, 1, 4743, 1185, 49152, 1024,
     with_fp64, full, DeviceClass::nvidia_gpu, 32},
    {"NVIDIA H200", "NVIDIA Corporation", "NVIDIA CUDA", "OpenCL 3.0 CUDA", gpu, 132, 1, 143156, 35789, 49152, 1024,
     with_fp64, full, DeviceClass::nvidia_gpu, 32},
    // Intel's GPUs, with FP64 and without.
    {"Intel(R) UHD Graphics 630", "Intel(R) Corporation", "Intel(R) OpenCL HD Graphics", "OpenCL 3.0 NEO", gpu, 24, 1,
     25500, 4095, 65536, 256, intel_gpu, full, DeviceClass::intel_gpu, 16},
    {"Intel(R) Iris(R) Xe Graphics", "Intel(R) Corporation", "Intel(R) OpenCL HD Graphics", "OpenCL 3.0 NEO", gpu, 96,
     1, 12700, 4095, 65536, 512, intel_gpu_without_fp64, full, DeviceClass::intel_gpu, 16},
    {"Intel(R) Arc(TM) A770 Graphics", "Intel(R) Corporation", "Intel(R) OpenCL Graphics", "OpenCL 3.0 NEO", gpu, 512,
     1, 15473, 3867, 65536, 1024, intel_gpu_without_fp64, full, DeviceClass::intel_gpu, 16},
    // Devices of other vendors.
    {"Apple M1", "Apple", "Apple", "OpenCL 1.2", gpu, 8, 1, 10922, 2048, 32768, 256, atomics, full,
     DeviceClass::other_gpu, 16},
    {"Mali-G78 r0p1", "ARM", "ARM Platform", "OpenCL 2.1 v1.r32p1", gpu, 20, 1, 7650, 7650, 32768, 384, atomics, full,
     DeviceClass::other_gpu, 16},
    {"Vivante OpenCL Device GC7000XSVX.6214.0000", "Vivante Corporation", "Vivante OpenCL Platform", "OpenCL 1.2", gpu,
     1, 4, 256, 128, 32768, 64, atomics, "EMBEDDED_PROFILE", DeviceClass::other_gpu, 16},
    // CPUs under Intel's runtime, Apple's and versions of PoCL; and a simulator that declares itself to be everything.
    {"Intel(R) Xeon(R) Platinum 8480C", "Intel(R) Corporation", "Intel(R) OpenCL", "OpenCL 3.1 (Build 0)", cpu, 16, 8,
     128000, 64000, 262144, 8192, intel_cpu, full, DeviceClass::cpu, 8},
    {"AMD EPYC", "Intel(R) Corporation", "Intel(R) OpenCL", "OpenCL 3.1 (Build 0)", cpu, 2, 8, 24105, 12052, 262144,
     8192, intel_cpu, full, DeviceClass::cpu, 8},
    {"Intel(R) Core(TM) i7-4770HQ CPU @ 2.20GHz", "Intel", "Apple", "OpenCL 1.2", cpu, 8, 4, 16384, 4096, 32768, 1024,
     with_fp64, full, DeviceClass::cpu, 4},
    {"pthread-Intel(R) Core(TM) i5-3210M CPU @ 2.50GHz", "GenuineIntel", "Portable Computing Language",
     "OpenCL 1.2 pocl HSTR: pthread-x86_64-pc-linux-gnu-ivybridge", cpu, 4, 2, 5900, 2048, 262144, 4096, with_fp64,
     full, DeviceClass::cpu, 2},
    {"pthread-skylake-avx512-AMD EPYC", "AuthenticAMD", "Portable Computing Language",
     "OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu-skylake-avx512", cpu, 2, 8, 11226, 4096, 1048576, 4096,
     with_fp64, full, DeviceClass::cpu, 8},
    {"cpu-sapphirerapids-Intel(R) Xeon(R) Platinum 8480C", "GenuineIntel", "Portable Computing Language",
     "OpenCL 3.0 PoCL HSTR: cpu-x86_64-pc-linux-gnu-sapphirerapids", cpu, 16, 8, 126000, 32768, 2097152, 4096,
     with_fp64, full, DeviceClass::cpu, 8},
    {"cpu-cortex-a72", "ARM", "Portable Computing Language", "OpenCL 3.0 PoCL HSTR: cpu-aarch64-cortex-a72", cpu, 4, 0,
     3000, 1024, 524288, 4096, with_fp64, full, DeviceClass::cpu, 1},
    {"Oclgrind Simulator", "University of Bristol", "Oclgrind", "OpenCL 1.2 (Oclgrind 21.10)",
     static_cast<Type>(gpu | cpu | accelerator), 1, 1, 128, 128, 32768, 1024, with_fp64, full, DeviceClass::cpu, 1},
};

inline DeviceDescription describe(const Captured& of) {
  DeviceDescription device;
  device.name = of.name;
  device.vendor = of.vendor;
  device.platform = of.platform;
  device.device_version = of.version;
  device.profile = of.profile;
  device.extensions = of.extensions;
  device.set_type((of.type & gpu) != 0, (of.type & cpu) != 0, (of.type & accelerator) != 0);
  device.compute_units = of.compute_units;
  device.native_long_width = of.native_long_width;
  device.global_memory = of.memory_mib * mebibyte;
  device.largest_buffer = of.largest_buffer_mib * mebibyte;
  device.local_memory = of.local_memory;
  device.work_group_size = of.work_group_size;
  return device;
}

// A machine that has these devices.
inline std::vector<DeviceDescription> machine(std::initializer_list<const char*> names) {
  std::vector<DeviceDescription> devices;
  for (const std::string name : names)
    for (const Captured& one : all)
      if (name == one.name) {
        devices.push_back(describe(one));
        devices.back().index = devices.size() - 1;
      }
  REQUIRE(devices.size() == names.size());
  return devices;
}

} // namespace tmd::captured
