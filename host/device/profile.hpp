// A profile: the settings for a device, or for devices like it. Each is a TOML file.
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

// The devices that a profile is for. Strings are patterns: * stands for any characters, ? for one, case does not
// matter; an empty one fits everything.
struct ProfileMatch {
  std::optional<opencl::DeviceClass> device_class;
  std::string platform;
  std::string vendor;
  std::string device;
  std::string driver;
  std::optional<CpuMode> cpu_mode; // the requested mode; for CPUs only
};

struct Profile {
  ProfileMatch match;
  std::optional<ProfileOrigin> tuned; // nothing: values that have not been measured
  Setting tunables;
  std::vector<std::pair<std::string, double>> costs; // names and values; empty if not measured
};

inline constexpr std::int64_t profile_format = 1;

// Reads a profile. Throws UsageError that says what is wrong: no TOML, an unknown key, a value of the wrong type or out
// of its range. Tunables of earlier versions are ignored.
[[nodiscard]] Profile parse_profile(std::string_view text, const Tuning& tuning);

// The text of a profile's file. Equal profiles have equal texts.
[[nodiscard]] std::string to_toml(const Profile& profile, const Tuning& tuning);

// Whether `text` fits a pattern of ProfileMatch.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view text);

// Sets the profile's tunables: all of them or, throwing UsageError, none.
void apply(const Profile& profile, Tunables& tunables, const Tuning& tuning);
// Sets the profile's costs.
void apply(const Profile& profile, Costs& costs, const Tuning& tuning);

// Today's date, as profiles have it.
[[nodiscard]] std::string today();

} // namespace tmd::device
