// The search space: of what the engines say is worth trying, what a device can have.
#pragma once

#include "tune/trial.hpp"

#include "opencl/cpu_mode.hpp"
#include "opencl/device.hpp"

#include <string>
#include <vector>

namespace tmd::tune {

// One direction of the descent: tunables that depend on each other, and the settings in which they are tried together.
struct Coordinate {
  Part part;
  std::vector<std::string> tunables;
  std::vector<Setting> settings; // of some of the tunables; the others get the base's values
};

// What can be tuned on a device: settings beyond its limits are left out, explicit vectors where they do not belong (on
// GPUs, in scalar mode), and the tunables of a part that it does not do. `makes_polynomials`: the device makes the
// coefficients.
[[nodiscard]] std::vector<Coordinate> search_space(const opencl::DeviceDescription& device, opencl::CpuMode mode,
                                                   bool makes_polynomials);

// `tunables` with one setting of a coordinate.
[[nodiscard]] Tunables with(const Tunables& tunables, const Coordinate& coordinate, const Setting& setting,
                            const Tunables& base);

// `tunables` with all that the coordinates of a part decide taken from `other`.
[[nodiscard]] Tunables with_part(const Tunables& tunables, const std::vector<Coordinate>& space, Part part,
                                 const Tunables& other);

} // namespace tmd::tune
