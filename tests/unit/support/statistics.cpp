// Medians, and tails of Poisson distributions.
#include "host/support/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace tmd::support {

TEST_CASE("the median: the middle, or between the two in the middle") {
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({8, 1}) == 4.5);
  CHECK(median({10, 2, 100, 4}) == 7);
  CHECK(median({4, 4, 4, 4, 1, 9}) == 4);
  CHECK(median({1, 1, 7, 9, 100, 3}) == 5);
  CHECK(std::isnan(median({})));
}

// The sums were made in decimals of 60 digits.
TEST_CASE("Poisson: tails and two-sided p-values") {
  struct Row {
    std::uint64_t count;
    double mean;
    double at_most;
    double at_least;
    double p;
  };
  for (const Row& row : {Row{0, 0, 1, 1, 1}, Row{0, 3, 4.978706836786e-02, 1, 9.957413673573e-02},
                         Row{3, 3, 6.472318887822e-01, 5.768099188732e-01, 1},
                         Row{10, 3, 9.997076630494e-01, 1.102488130115e-03, 2.204976260231e-03},
                         Row{5, 20, 7.190884052843e-05, 9.999830552561e-01, 1.438176810569e-04},
                         Row{64, 64, 5.331789083174e-01, 5.166239875038e-01, 1},
                         Row{243, 256, 2.185108503826e-01, 7.997750696312e-01, 4.370217007652e-01},
                         Row{600, 512, 9.999313809408e-01, 8.123486181104e-05, 1.624697236221e-04},
                         Row{20, 0.5, 1, 2.435465429925e-25, 4.870930859851e-25},
                         Row{1000, 1200, 1.553146982114e-09, 9.999999987118e-01, 3.106293964228e-09}}) {
    CAPTURE(row.count);
    CAPTURE(row.mean);
    CHECK(poisson_at_most(row.count, row.mean) == doctest::Approx(row.at_most).epsilon(1e-9));
    CHECK(poisson_at_least(row.count, row.mean) == doctest::Approx(row.at_least).epsilon(1e-9));
    CHECK(poisson_p_value(row.count, row.mean) == doctest::Approx(row.p).epsilon(1e-9));
  }
  CHECK(poisson_p_value(1, 0) == 0);
  CHECK(poisson_p_value(1'000'000'000, 1e9) > 0.9);
  CHECK(poisson_p_value(1'000'200'000, 1e9) < 1e-9);
}

} // namespace tmd::support
