// Implements tmd/device.hpp: devices and profiles as plain data.
#include "tmd/device.hpp"

#include "engine/registry.hpp"
#include "run/device_choice.hpp"

namespace tmd {

namespace {

DeviceInfo info_of(const opencl::DeviceDescription& device, const device::ProfileChoice& profile) {
  DeviceInfo info;
  info.index = device.index;
  info.name = device.name;
  info.vendor = device.vendor;
  info.device_class = to_string(device.device_class());
  info.platform = device.platform;
  info.platform_version = device.platform_version;
  info.device_version = device.device_version;
  info.language_version = device.language_version;
  info.driver = device.driver_version;
  info.simd_width = device.simd_width();
  info.compute_units = device.compute_units;
  info.clock_mhz = device.clock_mhz;
  info.global_memory = device.global_memory;
  info.largest_buffer = device.largest_buffer;
  info.local_memory = device.local_memory;
  info.work_group_size = device.work_group_size;
  info.fp64 = device.has_fp64();
  info.int64 = device.has_int64();
  info.unusable = device.why_unusable();
  info.profile = profile.why;
  info.profile_file = profile.file;
  info.tuned = profile.tuned;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    info.tunables.emplace_back(tunable.name, device::to_string(tunable, profile.tunables[tunable]));
  return info;
}

} // namespace

std::vector<DeviceInfo> list_devices(CpuMode mode, const RemarkHandler& on_remark) {
  const device::ProfileStore profiles = run::installed_profiles(or_ignore(on_remark));
  std::vector<DeviceInfo> list;
  for (const opencl::DeviceDescription& device : opencl::list_devices())
    list.push_back(info_of(device, profiles.choose(device, mode)));
  return list;
}

} // namespace tmd
