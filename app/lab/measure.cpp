#include "app/lab/measure.hpp"

#include "support/statistics.hpp"

#include <algorithm>
#include <vector>

namespace tmd {

Measurement measure(const std::function<double(std::uint32_t)>& run, std::uint64_t wanted, double patience) {
  constexpr double long_launch = 0.2; // seconds; display drivers kill launches that take longer
  constexpr std::uint32_t growth = 8;
  constexpr std::uint64_t most = std::uint64_t(1) << 24;
  std::uint32_t rounds = 1;
  double seconds = run(rounds);
  while (rounds < std::min(wanted, most) && seconds * growth < std::min(long_launch, patience)) {
    rounds = static_cast<std::uint32_t>(std::min({std::uint64_t(rounds) * growth, wanted, most}));
    seconds = run(rounds);
  }
  std::vector<double> launches;
  double spent = 0;
  do {
    launches.push_back(seconds > patience ? seconds : run(rounds)); // a launch that took that long is not repeated
    spent += launches.back();
  } while (launches.size() * std::uint64_t(rounds) < wanted && spent < patience);
  return {launches.size() * std::uint64_t(rounds), static_cast<double>(launches.size()) * support::median(launches)};
}

} // namespace tmd
