// The wide test's fractions, from the kernels' own text: what its residues rest on holds of every one, however
// quotients err.
#include "sanitized/wide_builds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

// Slopes with large quotients: next to 1/n, next to fractions with small denominators, and ties; and random ones.
u64 slope(tmd::Random& random) {
  const auto tiny = [&] { return static_cast<u64>(std::ldexp(random.sign() * random.power_of_2(-64, -13), 63)) << 1; };
  switch (random.below(6)) {
  case 0:
    return random();
  case 1: // quotients that are nearly half an integer
    return static_cast<u64>(0x1p64 / (std::floor(random.power_of_2(18, 22)) + 0.5)) + random.below(1024);
  case 2:
    return static_cast<u64>(0x1p64 / random.power_of_2(14, 24));
  case 3:
    return tiny();
  case 4: // 1/2 in 32 bits
    return (u64(1) << 63) + (random() >> (20 + random.below(44))) * (random.one_in(2) ? ~u64(0) : 1);
  default: {
    const u64 denominator = 2 + random.below(random.one_in(2) ? 16 : 20000);
    return ~u64(0) / denominator * random.below(denominator) + tiny();
  }
  }
}

struct Worst {
  u64 wrong = 0;     // not a fraction of c1 with the inverse of its numerator
  u64 too_large = 0; // denominators or inverses out of their bounds
  u64 far = 0;       // remainders that are wrong as a float
  double lines = 0;  // the greatest Q·|θ|; for good fractions less than 1
  u64 large = 0;     // denominators beyond 2^19: the trials are hard enough
};

template <typename FractionOf> Worst examine(u64 seed, int trials, const FractionOf& fraction_of) {
  tmd::Random random(seed);
  Worst worst;
  for (int i = 0; i < trials; ++i) {
    const u64 c1 = slope(random);
    const auto half_width = static_cast<float>(std::exp2(static_cast<double>(6 + random.below(21))));
    const auto c2M2 = static_cast<float>(random.sign() * random.power_of_2(-40, 0));
    const auto limit = static_cast<float>(random.one_in(2) ? TMD_MOST_DENOMINATOR : random.power_of_2(1, 23));
    const auto f = fraction_of(c1, c2M2, half_width, limit);
    const double q = f.denominator;
    const double most = std::min(double(TMD_MOST_DENOMINATOR), 4.0 * double(half_width));
    worst.too_large += !(q >= 1 && q <= most && q == std::floor(q));
    worst.too_large += !(std::abs(double(f.inverse)) < q && double(f.inverse) == std::floor(double(f.inverse)));
    const u64 denominator = static_cast<u64>(q);
    const i64 theta = static_cast<i64>(denominator * c1);
    const tmd::u128 numerator = (tmd::u128(denominator) * c1 - static_cast<tmd::u128>(tmd::i128(theta))) >> 64;
    const i64 product = static_cast<i64>(numerator % denominator) * static_cast<i64>(double(f.inverse)) - 1;
    worst.wrong += product % static_cast<i64>(denominator) != 0;
    worst.far += !(std::abs(double(f.remainder) - double(theta)) <= 0x1p-24 * std::abs(double(theta)));
    if (limit < float(most))
      worst.lines = std::max(worst.lines, std::abs(double(theta)) * 0x1p-64 * q);
    worst.large += q > 0x1p20;
  }
  return worst;
}

void check(const Worst& worst) {
  INFO("greatest Q·|θ| " << worst.lines);
  CHECK(worst.wrong == 0);
  CHECK(worst.too_large == 0);
  CHECK(worst.far == 0);
  CHECK(worst.lines < 1.1);
  CHECK(worst.large > 10000);
}

} // namespace

TEST_CASE("wide fractions: numerators' inverses, with quotients exactly rounded") {
  check(examine(51, 1000000, exact::divisions::fraction_of));
  check(examine(52, 1000000, exact::reciprocals::fraction_of));
}

TEST_CASE("wide fractions: numerators' inverses, on devices that err") {
  check(examine(53, 2000000, sloppy::divisions::fraction_of));
  check(examine(54, 2000000, sloppy::reciprocals::fraction_of));
}
