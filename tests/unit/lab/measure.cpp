// How kernels of unknown speed are timed.
#include "app/lab/measure.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tmd::test {

namespace {

// A device on which a round takes that long, and the numbers of rounds that it was asked for.
struct Device {
  double seconds_a_round;
  std::vector<std::uint32_t> launches;

  Measurement measured(std::uint64_t wanted, double patience) {
    return measure(
        [&](std::uint32_t rounds) {
          launches.push_back(rounds);
          return seconds_a_round * rounds;
        },
        wanted, patience);
  }
  [[nodiscard]] double spent() const {
    double sum = 0;
    for (const std::uint32_t rounds : launches)
      sum += seconds_a_round * rounds;
    return sum;
  }
};

} // namespace

TEST_CASE("measure: a fast kernel does what is wanted") {
  Device device{1e-9, {}};
  const Measurement result = device.measured(1000, 1);
  CHECK(device.launches.front() == 1);
  CHECK(std::is_sorted(device.launches.begin(), device.launches.end()));
  CHECK(result.rounds == 1000);
  CHECK(result.seconds == doctest::Approx(1e-6));
}

TEST_CASE("measure: patience ends a long measurement, and no launch is long") {
  for (const double seconds_a_round : {1e-8, 1e-5, 1e-3, 0.04}) {
    Device device{seconds_a_round, {}};
    const Measurement result = device.measured(~std::uint64_t(0), 0.5);
    CHECK(result.seconds >= 0.5);
    CHECK(device.spent() < 1.2);
    CHECK(result.seconds == doctest::Approx(seconds_a_round * static_cast<double>(result.rounds)));
    for (const std::uint32_t rounds : device.launches)
      CHECK(rounds * seconds_a_round <= 0.2);
  }
}

TEST_CASE("measure: of a kernel that is hopelessly slow a single round is run") {
  Device device{42, {}};
  const Measurement result = device.measured(1000, 0.5);
  CHECK(device.launches == std::vector<std::uint32_t>{1});
  CHECK(result.rounds == 1);
  CHECK(result.seconds == doctest::Approx(42));
}

TEST_CASE("measure: the median of the launches counts, not one that was disturbed") {
  int launch = 0;
  const Measurement result = measure(
      [&](std::uint32_t) {
        ++launch;
        return launch % 5 == 4 ? 1.0 : 0.1;
      },
      10, 1.35);
  CHECK(result.rounds == 5);
  CHECK(result.seconds == doctest::Approx(0.5));
}

} // namespace tmd::test
