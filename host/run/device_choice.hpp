// The devices that a user asks for, and the settings of each.
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

// A device with its settings.
struct DeviceChoice {
  opencl::DeviceDescription device;
  CpuMode cpu_mode = CpuMode::automatic; // the requested mode
  device::Tunables tunables;             // the profile's, after --set
  device::Costs costs;                   // the profile's
  std::string profile;                   // the profile's origin, in words
  opencl::KernelUse kernels;
};

// The user's profiles and the shipped ones. A warning names each file that is not used.
[[nodiscard]] device::ProfileStore installed_profiles(const RemarkHandler& on_remark);

// The devices of --device, in that order, or every one for `all`; notes name those that `all` leaves out. Call it
// before anything else uses OpenCL, for it puts the CPU mode into effect. Throws UsageError if a device is named twice,
// and DeviceError for foreign kernels that are not allowed.
[[nodiscard]] std::vector<DeviceChoice> choose_devices(const SearchSpec& spec, const RemarkHandler& on_remark);

// Chooses the device of a command that uses one. Throws UsageError if more are named.
[[nodiscard]] DeviceChoice choose_device(const SearchSpec& spec, const RemarkHandler& on_remark);

// The spec of an audit in that way: the same search with other settings.
[[nodiscard]] SearchSpec again_by(const searches::AuditWay& way, SearchSpec spec);

// The engines' settings on a device. All its engines share one warning: those of several queues would repeat it.
[[nodiscard]] engine::EngineSettings engine_settings(const request::SearchRequest& request, const DeviceChoice& choice,
                                                     RemarkHandler on_remark, unsigned host_threads = 1);

} // namespace tmd::run
