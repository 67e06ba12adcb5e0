#include "support/statistics.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace tmd {

double median(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0)
    return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

} // namespace tmd
