// The output of a tuning: tables for people, JSON Lines for programs, the profile.
#pragma once

#include "device/profile.hpp"
#include "opencl/kernel_files.hpp"
#include "tune/tuner.hpp"

#include <string>

namespace tmd::tune {

// Describes what was tuned.
struct TuningDescription {
  std::string version; // of the program tmd
  opencl::KernelUse kernels;
  opencl::DeviceDescription device;
  CpuMode cpu_mode = CpuMode::automatic;
  std::string job;
  std::string against;     // where the default comes from
  Settings default_values; // a value for every tunable
  std::vector<Coordinate> space;
};

// The common name of the profile and the journal.
[[nodiscard]] std::string file_name_of(const TuningDescription& tuning);
// One line with everything that makes trials comparable.
[[nodiscard]] std::string subject_of(const TuningDescription& tuning);

// A table of the trials: counts by how they ended, the best for each part, and those that failed.
[[nodiscard]] std::string trial_table(const TuningResult& result);
// A table of the default and the tuned time of each part, and the settings that were kept.
[[nodiscard]] std::string gain_table(const TuningDescription& tuning, const TuningResult& result);
// JSON Lines: a `tuning` record, a `trial` record for each trial, a `gain` record for each part, and last a `result`.
[[nodiscard]] std::string json_lines(const TuningDescription& tuning, const TuningResult& result);

// The profile of the result, with every tunable that was in the search. pattern: which device names it is for; empty:
// the name of this device.
[[nodiscard]] device::Profile profile_of(const TuningDescription& tuning, const TuningResult& result,
                                         const std::string& pattern, const std::string& date);

} // namespace tmd::tune
