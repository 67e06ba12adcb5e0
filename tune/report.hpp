// The output of a tuning: tables for people, JSON Lines for programs, the profile.
#pragma once

#include "device/profile.hpp"
#include "opencl/kernel_files.hpp"
#include "tune/tuner.hpp"

#include <string>

namespace tmd::tune {

// Describes what was tuned.
struct TuningDescription {
  std::string version; // of tmd
  opencl::KernelUse kernels;
  opencl::DeviceDescription device;
  CpuMode cpu_mode = CpuMode::automatic;
  std::string job;
  std::string against;     // where the default comes from
  Settings default_values; // of every tunable
  std::vector<Coordinate> space;
};

// The name of its files.
[[nodiscard]] std::string file_name_of(const TuningDescription& tuning);
// Everything that makes trials comparable, in one line.
[[nodiscard]] std::string subject_of(const TuningDescription& tuning);

// What was tried: counts by how it ended, for each part the best, and what failed.
[[nodiscard]] std::string trial_table(const TuningResult& result);
// Default and tuned times of every part, and what was kept.
[[nodiscard]] std::string gain_table(const TuningDescription& tuning, const TuningResult& result);
// JSON Lines: a `tuning` record, a `trial` record each, a `gain` record a part, and a `result` last.
[[nodiscard]] std::string json_lines(const TuningDescription& tuning, const TuningResult& result);

// The profile of the result: every tunable that was in the search. `pattern`: of the names of the devices that it
// serves; empty: this one's own.
[[nodiscard]] device::Profile profile_of(const TuningDescription& tuning, const TuningResult& result,
                                         const std::string& pattern, const std::string& date);

} // namespace tmd::tune
