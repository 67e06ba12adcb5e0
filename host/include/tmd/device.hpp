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

// Device seconds of the tuning job, by part, as tuning steps name them; "whole": of a search in phases.
using ProfileTimes = std::map<std::string, double, std::less<>>;

// How the values of a profile were found; only in tuned profiles.
struct ProfileOrigin {
  std::string date;    // 2026-11-21
  std::string version; // of tmd
  std::string job;
  std::string against; // what the values were compared with
  ProfileTimes default_seconds;
  ProfileTimes tuned_seconds;
  double gain = 0; // of a search in phases: default time over tuned time
  // The same of parts that have jobs of their own, where somebody measured them: "wide".
  std::map<std::string, double, std::less<>> gains = {};
};

// A device as its platform describes it, and the profile that it gets.
struct DeviceInfo {
  std::size_t index = 0; // what SearchSpec::devices takes
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
  std::size_t work_group_size = 0; // work-items at most
  bool fp64 = false;
  bool int64 = true;
  std::string unusable; // why it cannot be used: a sentence; empty: it can

  std::string profile;                                       // which applies, and why: one line
  std::filesystem::path profile_file;                        // empty: built in
  std::optional<ProfileOrigin> tuned;                        // nothing: values that nobody measured
  std::vector<std::pair<std::string, std::string>> tunables; // names and values, by the profile
};

// Every device of every platform, in the platforms' order; `tell` gets a warning for each profile that cannot be used.
// mode: which profiles count. Throws DeviceError when there is no platform.
[[nodiscard]] TMD_API std::vector<DeviceInfo> list_devices(CpuMode mode = CpuMode::automatic, const Tell& tell = {});

} // namespace tmd
