// The devices that a user asks for, and how each is to be used.
#pragma once

#include "device/profile_store.hpp"
#include "engine/settings.hpp"
#include "opencl/device.hpp"
#include "opencl/kernel_files.hpp"
#include "request/resolve.hpp"
#include "search/audit.hpp"
#include "tmd/remark.hpp"

#include <string>
#include <vector>

namespace tmd::run {

// A device and how it is to be used.
struct DeviceChoice {
  opencl::DeviceDescription device;
  CpuMode cpu_mode = CpuMode::automatic; // as asked for
  device::Tunables tunables;             // of its profile, after --set
  device::Costs costs;                   // of its profile
  std::string profile;                   // where they come from
  opencl::KernelUse kernels;
};

// The user's profiles and the shipped ones. A warning tells of each file that is not used.
[[nodiscard]] device::ProfileStore installed_profiles(const Tell& tell);

// The devices of --device, in that order, or every one for `all`; notes name those that `all` leaves out. Call it
// before anything else uses OpenCL: it puts the CPU mode into effect. Throws UsageError when a device is named twice,
// DeviceError for foreign kernels that are not wanted.
[[nodiscard]] std::vector<DeviceChoice> choose_devices(const SearchSpec& spec, const Tell& tell);

// The same for a command that uses one device. Throws UsageError when more are asked for.
[[nodiscard]] DeviceChoice choose_device(const SearchSpec& spec, const Tell& tell);

// The spec of a search of some of it again in that way, all else being the same.
[[nodiscard]] SearchSpec again_by(const searches::AuditWay& way, SearchSpec spec);

// The engines' settings on a device. Its engines share one warning: those of several queues would say the same.
[[nodiscard]] engine::EngineSettings engine_settings(const request::SearchRequest& request, const DeviceChoice& choice,
                                                     Tell tell, unsigned host_threads = 1);

} // namespace tmd::run
