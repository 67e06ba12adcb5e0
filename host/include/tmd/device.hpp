// The OpenCL devices of this machine, and the profiles that fit searches to them.
#pragma once

#include "tmd/api.hpp"
#include "tmd/choices.hpp"
#include "tmd/remark.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmd {

// Device seconds of the tuning job by part, named like tuning steps; "whole": a search in phases.
using ProfileTimes = std::map<std::string, double, std::less<>>;

// How a tuned profile was found.
struct ProfileOrigin {
  std::string date;    // 2026-11-21
  std::string version; // of tmd
  std::string job;
  std::string against; // the reference that the values were compared with
  ProfileTimes default_seconds;
  ProfileTimes tuned_seconds;
  double gain = 0; // of a search in phases: default time divided by tuned time
  // The same for parts with jobs of their own, if measured: "wide".
  std::map<std::string, double, std::less<>> gains = {};
};

// A device as its platform describes it, and the profile that applies to it.
struct DeviceInfo {
  std::size_t index = 0; // as in SearchSpec::devices
  std::string name;
  std::string vendor;
  std::string device_class; // "nvidia-gpu", "cpu", …
  std::string platform;
  std::string platform_version;
  std::string device_version;
  std::string language_version;
  std::string driver;
  unsigned simd_width = 1; // work-items in lockstep
  std::uint32_t compute_units = 0;
  std::uint32_t clock_mhz = 0;
  std::uint64_t global_memory = 0; // bytes, like the next two
  std::uint64_t largest_buffer = 0;
  std::uint64_t local_memory = 0;
  std::size_t work_group_size = 0; // limit, in work-items
  bool fp64 = false;
  bool int64 = true;
  std::string unusable; // a sentence about why it cannot be used; empty if it can

  std::string profile;                                       // which profile applies and why, in one line
  std::filesystem::path profile_file;                        // empty if built in
  std::optional<ProfileOrigin> tuned;                        // empty if the values were not measured
  std::vector<std::pair<std::string, std::string>> tunables; // names and values in the profile
};

// Every device of every platform, in the platforms' order. `on_remark` gets a warning for each profile that cannot be
// used. mode: selects the profiles. Throws DeviceError if there is no platform.
[[nodiscard]] TMD_API std::vector<DeviceInfo> list_devices(CpuMode mode = CpuMode::automatic,
                                                           const RemarkHandler& on_remark = {});

} // namespace tmd
