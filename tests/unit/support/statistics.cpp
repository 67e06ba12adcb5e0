// Medians.
#include "host/support/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace tmd;

TEST_CASE("the median: the middle, or between the two in the middle") {
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({8, 1}) == 4.5);
  CHECK(median({10, 2, 100, 4}) == 7);
  CHECK(median({4, 4, 4, 4, 1, 9}) == 4);
  CHECK(median({1, 1, 7, 9, 100, 3}) == 5);
  CHECK(std::isnan(median({})));
}
