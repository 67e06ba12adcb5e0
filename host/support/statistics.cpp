#include "support/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace tmd::support {

namespace {

double probability(double count, double mean) {
  if (mean == 0)
    return count == 0 ? 1 : 0;
  return std::exp(count * std::log(mean) - mean - std::lgamma(count + 1));
}

// P(X = n) summed from `count` away from the mean, where the terms fall from the first on.
double tail(std::uint64_t count, double mean, bool upwards) {
  constexpr double negligible = 1e-18;
  auto n = static_cast<double>(count);
  double term = 1;
  double sum = 0;
  while (term > negligible * sum) {
    sum += term;
    term *= upwards ? mean / (n + 1) : n / mean;
    n += upwards ? 1 : -1;
  }
  return sum * probability(static_cast<double>(count), mean);
}

} // namespace

double median(std::vector<double> values) {
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0)
    return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double poisson_at_most(std::uint64_t count, double mean) {
  return static_cast<double>(count) <= mean ? tail(count, mean, false) : 1 - tail(count + 1, mean, true);
}

double poisson_at_least(std::uint64_t count, double mean) {
  if (count == 0)
    return 1;
  return static_cast<double>(count) >= mean ? tail(count, mean, true) : 1 - tail(count - 1, mean, false);
}

double poisson_p_value(std::uint64_t count, double mean) {
  return std::min(1.0, 2 * std::min(poisson_at_most(count, mean), poisson_at_least(count, mean)));
}

} // namespace tmd::support
