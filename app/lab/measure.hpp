// Times kernels whose speed is not known beforehand.
#pragma once

#include <cstdint>
#include <functional>

namespace tmd {

struct Measurement {
  std::uint64_t rounds = 0;
  double seconds = 0; // the device's time for these rounds, by the median of the launches
};

// Runs `run`, which does a number of rounds and returns the device's seconds: one round first, then more and more as
// long as launches stay short, until `wanted` rounds or `patience` seconds are reached. So a kernel that is ten
// thousand times slower than expected does no harm: only one round of it is measured.
[[nodiscard]] Measurement measure(const std::function<double(std::uint32_t rounds)>& run, std::uint64_t wanted,
                                  double patience);

} // namespace tmd
