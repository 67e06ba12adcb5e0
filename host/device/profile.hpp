// A profile: how a device, or devices like it, are best used. TOML, a file each.
#pragma once

#include "device/tuning.hpp"
#include "opencl/cpu_mode.hpp"
#include "opencl/device.hpp"
#include "tmd/device.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::device {

// Whom a profile serves. Strings are patterns: * stands for any characters, ? for one, case does not count; an empty
// one fits everything.
struct ProfileMatch {
  std::optional<opencl::DeviceClass> device_class;
  std::string platform;
  std::string vendor;
  std::string device;
  std::string driver;
  std::optional<CpuMode> cpu_mode; // as asked for; of CPUs only
};

struct Profile {
  ProfileMatch match;
  std::optional<ProfileOrigin> tuned; // nothing: values that nobody measured
  Setting tunables;
  std::vector<std::pair<std::string, double>> costs; // names and values; empty where nobody measured them
};

inline constexpr std::int64_t profile_format = 1;

// Reads a profile. Throws UsageError with what is wrong: no TOML, an unknown key, a value of the wrong type or out of
// its range. Tunables of earlier versions are left out.
[[nodiscard]] Profile parse_profile(std::string_view text, const Tuning& tuning);

// The file of a profile. Equal profiles give equal texts.
[[nodiscard]] std::string to_toml(const Profile& profile, const Tuning& tuning);

// Whether `text` fits a pattern of ProfileMatch.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view text);

// Sets the profile's tunables, all of them or, throwing UsageError, none.
void apply(const Profile& profile, Tunables& tunables, const Tuning& tuning);
// The same with its costs.
void apply(const Profile& profile, Costs& costs, const Tuning& tuning);

// Today, as profiles write it.
[[nodiscard]] std::string today();

} // namespace tmd::device
