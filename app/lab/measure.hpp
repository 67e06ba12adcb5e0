// Times kernels whose speed is not known beforehand.
#pragma once

#include <cstdint>
#include <functional>

namespace tmd {

struct Measurement {
  std::uint64_t rounds = 0;
  double seconds = 0; // device time of these rounds, by the median of the launches
};

// Runs `run`, which does a number of rounds and returns the device's seconds: with one round first, then with ever more
// as long as launches stay short, then until `wanted` rounds or `patience` seconds are reached. A kernel ten thousand
// times slower than expected so does no harm; of it, a single round is measured.
[[nodiscard]] Measurement measure(const std::function<double(std::uint32_t rounds)>& run, std::uint64_t wanted,
                                  double patience);

} // namespace tmd
