// How evenly the existence tests of neighbouring domains run: what SIMD groups lose by waiting (seed 004 section 3).
#pragma once

#include "app/lab/production.hpp"
#include "job/job.hpp"

#include <array>
#include <vector>

namespace tmd {

// Rounds of the phase-1 test's main loop over a set of domains.
struct DivergenceStatistics {
  static constexpr std::array<unsigned, 4> widths{8, 16, 32, 64};

  std::uint64_t tests = 0;
  std::uint32_t least = 0;
  std::uint32_t greatest = 0;
  double mean = 0;
  // Mean over the SIMD groups of NMDM = 1 − mean/maximum of a group's rounds, for each width.
  std::array<double, 4> nmdm{};
};

// Counts the rounds on the device for every domain of the job, with options that have a fixed test. Throws UsageError
// if the test can be used in no part of the range.
[[nodiscard]] DivergenceStatistics measure_divergence(const job::Job& job,
                                                      const engine::domains::DomainOptions& options,
                                                      engine::domains::DomainSearch& device);

// The same for given numbers of rounds. The last, incomplete group of a width is left out.
class DivergenceCounter {
public:
  void add(const std::vector<std::uint32_t>& rounds);
  [[nodiscard]] DivergenceStatistics statistics() const;

private:
  DivergenceStatistics sums_; // sums, from which the means are made
  std::array<std::uint64_t, 4> groups_{};
};

} // namespace tmd
