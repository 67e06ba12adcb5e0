// What is made of repeated measurements.
#pragma once

#include <vector>

namespace tmd {

// The middle value; of an even number of values the mean of the two in the middle. Not a number when there is none.
[[nodiscard]] double median(std::vector<double> values);

} // namespace tmd
