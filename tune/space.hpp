// The search space: the settings that the engines suggest, as far as the device supports them.
#pragma once

#include "tune/trial.hpp"

#include "device/tuning.hpp"
#include "opencl/cpu_mode.hpp"
#include "opencl/device.hpp"

#include <string>
#include <vector>

namespace tmd::tune {

// One direction of the descent: tunables that depend on each other, and the settings in which they are tried together.
struct Coordinate {
  Part part;
  std::vector<std::string> tunables;
  std::vector<device::Setting> settings; // values of some of the tunables; the others get the default's
};

// All that can be tuned on a device. Left out are settings beyond its limits, explicit vectors on GPUs and in scalar
// mode, and the tunables of parts that it does not do. makes_polynomials: whether the device makes the coefficients.
[[nodiscard]] std::vector<Coordinate> search_space(const opencl::DeviceDescription& device, CpuMode mode,
                                                   bool makes_polynomials);

// Returns `settings` with one setting of a coordinate. default_values: those of every tunable.
[[nodiscard]] Settings with(const Settings& settings, const Coordinate& coordinate, const device::Setting& setting,
                            const Settings& default_values);

} // namespace tmd::tune
