// What is made of repeated measurements, and of counts.
#pragma once

#include <cstdint>
#include <vector>

namespace tmd {

// The middle value; of an even number of values the mean of the two in the middle. Not a number when there is none.
[[nodiscard]] double median(std::vector<double> values);

// P(X ≤ count) and P(X ≥ count) of a Poisson distribution with that mean ≥ 0, to some eight digits.
[[nodiscard]] double poisson_at_most(std::uint64_t count, double mean);
[[nodiscard]] double poisson_at_least(std::uint64_t count, double mean);

// The exact two-sided p-value of a count: twice the smaller of the two, at most 1.
[[nodiscard]] double poisson_p_value(std::uint64_t count, double mean);

} // namespace tmd
