// Statistics of repeated measurements, and of counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tmd::support {

// The middle value; for an even number of values the mean of the two in the middle. Not a number if there is none.
[[nodiscard]] double median(std::vector<double> values);

// Calls make() at least once and `repeats` times, and returns the result with the median key(result); for an even
// number the upper one of the two in the middle.
template <typename Make, typename Key> [[nodiscard]] auto median_run(int repeats, const Make& make, const Key& key) {
  std::vector<decltype(make())> runs;
  runs.reserve(static_cast<std::size_t>(repeats));
  for (int repeat = 0; repeat < repeats; ++repeat)
    runs.push_back(make());
  const auto middle = runs.begin() + repeats / 2;
  std::nth_element(runs.begin(), middle, runs.end(),
                   [&](const auto& left, const auto& right) { return key(left) < key(right); });
  return std::move(*middle);
}

// P(X ≤ count) and P(X ≥ count) of a Poisson distribution with that mean ≥ 0, to about eight digits.
[[nodiscard]] double poisson_at_most(std::uint64_t count, double mean);
[[nodiscard]] double poisson_at_least(std::uint64_t count, double mean);

// The exact two-sided p-value of a count: twice the smaller of the two, at most 1.
[[nodiscard]] double poisson_p_value(std::uint64_t count, double mean);

} // namespace tmd::support
