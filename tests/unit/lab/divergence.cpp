// Statistics of given rounds.
#include "app/lab/divergence_statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tmd::test {

TEST_CASE("divergence of given rounds") {
  DivergenceCounter counter;
  CHECK(counter.statistics().tests == 0);
  CHECK(counter.statistics().mean == 0);
  // Eight equal numbers; then a long one among short ones; then an incomplete group.
  counter.add({4, 4, 4, 4, 4, 4, 4, 4, /**/ 1, 1, 1, 1, 1, 1, 1, 9, /**/ 2, 20, 2});
  DivergenceStatistics statistics = counter.statistics();
  CHECK(statistics.tests == 19);
  CHECK(statistics.least == 1);
  CHECK(statistics.greatest == 20);
  CHECK(statistics.mean == doctest::Approx(72.0 / 19));
  CHECK(statistics.nmdm[0] == doctest::Approx((0.0 + (1 - 2.0 / 9)) / 2));
  CHECK(statistics.nmdm[1] == doctest::Approx(1 - 3.0 / 9));
  CHECK(statistics.nmdm[2] == 0);
  // In a second set, groups begin anew.
  std::vector<std::uint32_t> half(64, 3);
  std::fill(half.begin(), half.begin() + 32, 1);
  counter.add(half);
  counter.add({});
  statistics = counter.statistics();
  CHECK(statistics.tests == 83);
  CHECK(statistics.nmdm[0] == doctest::Approx((1 - 2.0 / 9) / 10));
  CHECK(statistics.nmdm[1] == doctest::Approx((1 - 3.0 / 9) / 5));
  CHECK(statistics.nmdm[2] == 0); // two groups, each of equal numbers
  CHECK(statistics.nmdm[3] == doctest::Approx(1 - 2.0 / 3));
}

// b itself may be a hit: then the papers' forms of Lefèvre's test answer before their first round.
TEST_CASE("divergence of groups without a round") {
  DivergenceCounter counter;
  counter.add(std::vector<std::uint32_t>(8, 0));
  const DivergenceStatistics statistics = counter.statistics();
  CHECK(statistics.least == 0);
  CHECK(statistics.greatest == 0);
  CHECK(statistics.nmdm[0] == 0);
}

} // namespace tmd::test
