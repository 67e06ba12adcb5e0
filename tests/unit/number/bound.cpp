// Upper bounds.
#include "host/number/bound.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>

namespace tmd::number {

TEST_CASE("bounds only round up") {
  std::mt19937_64 random(11);
  const auto exactly = [](const Bound& bound) { return static_cast<long double>(bound.value()); };
  std::size_t low = 0;
  std::size_t high = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t x = random() >> (random() % 60);
    const std::uint64_t y = random() >> (random() % 60);
    const auto a = static_cast<long double>(x);
    const auto b = static_cast<long double>(y);
    low += exactly(Bound(x)) < a;
    low += exactly(Bound(x) + Bound(y)) < a + b;
    low += exactly(Bound(x) * Bound(y)) < a * b;
    low += exactly(Bound(x).scaled(-70)) < a * 0x1p-70L;
    low += Bound(x).scaled(-64).fixed_point() < x && x < ~std::uint64_t(0) - (std::uint64_t(1) << 36);
    high += exactly(Bound(x) + Bound(y)) > (a + b) * (1 + 0x1p-26L);
    high += exactly(Bound(x) * Bound(y)) > a * b * (1 + 0x1p-26L);
  }
  CHECK(low == 0);
  CHECK(high == 0);
  // A third is not a dyadic number: its bound is one unit of 2^−64 above the number below it.
  Arb third;
  arb_set_ui(third, 1);
  arb_div_ui(third, third, 3, 200);
  CHECK(Bound::of(third).fixed_point() > 0x5555555555555555);
  CHECK(Bound::power_of_two(-64).fixed_point() == 1);
  CHECK(Bound::power_of_two(-65).fixed_point() == 1);
  CHECK(Bound::power_of_two(-1000).fixed_point() == 1);
  CHECK(Bound::power_of_two(-2).fixed_point() == std::uint64_t(1) << 62);
  CHECK(Bound().fixed_point() == 0);
  CHECK_THROWS((void)Bound(1).fixed_point());
  CHECK((Bound::power_of_two(-10) + Bound::power_of_two(-60)).fixed_point() >
        (std::uint64_t(1) << 54) + (std::uint64_t(1) << 4) - 1);
  CHECK(power(Bound(3), 4).value() >= 81);
  CHECK(power(Bound(3), 0).value() == 1);
  CHECK(max(Bound(3), Bound(4)).value() == 4);
  Arb pole;
  arb_indeterminate(pole);
  CHECK_FALSE(Bound::of(pole).is_finite());
  CHECK_THROWS((void)Bound::of(pole).fixed_point());
  CHECK_FALSE(Bound::of(pole) < Bound::power_of_two(-2));
}

TEST_CASE("a bound is that of its double, and any double's is not below it") {
  for (const Bound& bound : {Bound(), Bound(1), Bound(12345), Bound(3) * Bound::power_of_two(-900),
                             Bound(0x3fffffff) * Bound::power_of_two(77), Bound(7) * Bound(0x12345678)}) {
    CHECK(Bound::of(bound.value()).value() == bound.value());
    CHECK_FALSE(bound < Bound::of(bound.value()));
    CHECK_FALSE(Bound::of(bound.value()) < bound);
  }
  for (const double value : {0.1, 1.0 / 3, 1e-300, 1e300}) {
    CHECK(Bound::of(value).value() >= value);
    CHECK(Bound::of(value).value() <= value * (1 + 0x1p-28));
  }
  CHECK_FALSE(Bound::of(std::numeric_limits<double>::infinity()).is_finite());
}

TEST_CASE("a bound can filter below a quarter only") {
  CHECK(can_filter(Bound()));
  CHECK(can_filter(Bound::power_of_two(-3)));
  CHECK_FALSE(can_filter(Bound::power_of_two(-2)));
  CHECK_FALSE(can_filter(Bound(1)));
  Arb pole;
  arb_indeterminate(pole);
  CHECK_FALSE(can_filter(Bound::of(pole)));
}

} // namespace tmd::number
