// From a domain to its sub-domains and arguments, from the kernels' own text, against exact 128-bit
// arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ using i128 = __int128;
__extension__ using u128 = unsigned __int128;
i64 high_half(i64 x, i64 y) { return static_cast<i64>((i128(x) * y) >> 64); }
#define PURE inline
#define TMD_VECTOR_WIDTH 1
#include "cl_kernels/common/vector.clh"

#include "cl_kernels/domains/refinement.clh"

struct Domain {
  u64 line;
  u64 slope;
  i64 curvature; // in units of 2^−(64 + scale)
  u32 scale;
  i64 last;

  // Differences of values are known modulo 2^64 units of 2^−64; here in units of 2^−(64 + scale + 4),
  // exactly.
  [[nodiscard]] int fraction_bits() const { return static_cast<int>(scale) + 4; }
  [[nodiscard]] i128 residue(i128 value) const {
    const int bits = 64 + fraction_bits();
    if (bits >= 128)
      return value; // nothing wraps: the curvature's part is below 2^(61 + 48), the rest is kept small
    const u128 shifted = static_cast<u128>(value) << (128 - bits);
    return static_cast<i128>(shifted) >> (128 - bits);
  }
  [[nodiscard]] i128 unit() const { return i128(1) << fraction_bits(); }

  // 16·2^scale·F(m) − 16·2^scale·(line + slope·m): the curvature's part, exactly.
  [[nodiscard]] i128 bend(i64 m) const {
    const i128 position = m;
    const i128 end = last;
    return curvature * (8 * position * (position - end) + end * end);
  }
  // F(m) less a value in units of 2^−64, exactly, in units of 2^−(64 + scale + 4), nearest to 0.
  [[nodiscard]] i128 excess(i64 m, u64 value) const {
    const auto rest = static_cast<i64>(value - line - slope * static_cast<u64>(m)); // exact modulo 2^64
    return residue(static_cast<i128>(static_cast<u128>(bend(m)) - (static_cast<u128>(i128(rest)) << fraction_bits())));
  }
};

// Every scale; domains of 2^3 … 2^24 arguments; curvatures from 0 to the largest that choose_scale() lets
// pass, 2^61.
template <typename Check> void for_domains(int rounds, const Check& check) {
  std::mt19937_64 random(7);
  for (int round = 0; round < rounds; ++round)
    for (u32 scale = 0; scale < 64; ++scale)
      for (int domain_bits = 3; domain_bits <= 24; domain_bits += 1 + static_cast<int>(random() % 3)) {
        i64 curvature = static_cast<i64>(random() >> (3 + random() % 61));
        if (round == 0)
          curvature = (i64(1) << 61) - 1;
        if (round == 1)
          curvature = 1;
        if (random() % 2 == 0)
          curvature = -curvature;
        check(Domain{random(), random(), curvature, scale, (i64(1) << domain_bits) - 1}, domain_bits, random);
      }
}

} // namespace

TEST_CASE("refinement: a shifted product is the floor of the exact one") {
  std::mt19937_64 random(1);
  const i64 least = INT64_MIN;
  std::uint64_t wrong = 0;
  for (u32 shift = 1; shift <= 127; ++shift)
    for (int i = 0; i < 2000; ++i) {
      const i64 extremes[] = {0, 1, -1, 2, -2, least, least + 1, INT64_MAX};
      const i64 x = i < 64 ? extremes[i % 8] : static_cast<i64>(random()) >> (random() % 64);
      const i64 y = i < 64 ? extremes[i / 8] : static_cast<i64>(random()) >> (random() % 64);
      const i128 product = i128(x) * y;
      // Computes ⌊product/2^shift⌋ by division: 2^127 has no room, so it is halved first.
      i128 half = product / 2 - (product % 2 < 0 ? 1 : 0);
      const i128 divisor = i128(1) << (shift - 1);
      const i128 floor = half / divisor - (half % divisor < 0 ? 1 : 0);
      wrong += shifted_product(x, y, shift) != static_cast<u64>(floor);
    }
  CHECK(wrong == 0);
}

TEST_CASE("refinement: the residual is exact, and within M²/16 on the domain") {
  std::uint64_t wrong = 0;
  for (const i64 last : {i64(7), i64(8), i64(31), (i64(1) << 24) - 1, (i64(1) << 29) - 1})
    for (i64 i = 0; i <= 1000; ++i) {
      const i64 m = last <= 1000 ? std::min(i, last) : last / 1000 * i + (i == 1000 ? last % 1000 : 0);
      const i128 exact = (i128(m) * m - i128(last) * m) * 8 + i128(last) * last;
      wrong += residual16(m, last) != exact || exact > i128(last) * last || exact < -i128(last) * last;
    }
  CHECK(wrong == 0);
}

TEST_CASE("refinement: values lose less than one unit, by rounding down") {
  std::uint64_t wrong = 0;
  std::uint64_t inexact = 0;
  for_domains(40, [&](const Domain& d, int, std::mt19937_64& random) {
    for (const i64 start : {i64(0), d.last, d.last / 2, static_cast<i64>(random() % static_cast<u64>(d.last))}) {
      const i128 lost = d.excess(start, value_at(d.line, d.slope, d.curvature, d.scale, d.last, start));
      wrong += lost < 0 || lost >= d.unit();
      inexact += lost != 0;
    }
  });
  CHECK(wrong == 0);
  CHECK(inexact > 1000);
}

TEST_CASE("refinement: the line of a sub-domain, and its distance from the polynomial") {
  std::uint64_t wrong_line = 0;
  std::uint64_t wrong_slope = 0;
  std::uint64_t too_far = 0;
  std::uint64_t far = 0; // beyond the rounding alone: the bound is needed
  for_domains(6, [&](const Domain& d, int domain_bits, std::mt19937_64& random) {
    for (int split_bits = 1; split_bits <= std::min(5, domain_bits - 1); ++split_bits) {
      const i64 last_sub = (d.last >> split_bits);
      for (const u64 part : {u64(0), (u64(1) << split_bits) - 1, random() % (u64(1) << split_bits)}) {
        const i64 start = static_cast<i64>(part) * (last_sub + 1);
        u64 sub_slope = 0;
        const u64 line = sub_domain_line(d.line, d.slope, d.curvature, d.scale, d.last, start, last_sub, &sub_slope);
        // F(start) − curvature·(n − 1)²/16 − line, and the slope likewise, in [0, 1) unit.
        const i128 lost_line = d.residue(d.excess(start, line) - i128(d.curvature) * last_sub * last_sub);
        wrong_line += lost_line < 0 || lost_line >= d.unit();
        const auto turned = static_cast<i64>(sub_slope - d.slope);
        const i128 lost_slope = d.residue(static_cast<i128>(
            8 * (static_cast<u128>(d.curvature) * static_cast<u128>(i128(2) * start + last_sub - d.last)) -
            (static_cast<u128>(i128(turned)) << d.fraction_bits())));
        wrong_slope += lost_slope < 0 || lost_slope >= d.unit();
        // Checks the property that phase 2 relies on, at the sub-domain's ends, its middle and some m between.
        const i128 bound = i128(std::abs(d.curvature)) * last_sub * last_sub;
        for (const i64 m : {i64(0), last_sub, last_sub / 2, (last_sub + 1) / 2,
                            static_cast<i64>(random() % static_cast<u64>(last_sub + 1))}) {
          const i128 distance = d.excess(start + m, line + sub_slope * static_cast<u64>(m));
          if (64 + d.fraction_bits() < 128 && bound >= i128(1) << (62 + d.fraction_bits()))
            continue; // no longer known modulo 1; such a domain is never filtered
          too_far += distance > bound + (m + 1) * d.unit() || distance < -bound;
          far += distance > (m + 1) * d.unit() || distance < 0;
        }
      }
    }
  });
  CHECK(wrong_line == 0);
  CHECK(wrong_slope == 0);
  CHECK(too_far == 0);
  CHECK(far > 1000);
}

TEST_CASE("refinement: tabulated differences lose less than one unit a step") {
  std::uint64_t wrong = 0;
  std::uint64_t inexact = 0;
  for_domains(6, [&](const Domain& d, int domain_bits, std::mt19937_64& random) {
    const i64 run = i64(1) << std::min(domain_bits, random() % 16 == 0 ? 12 : 8);
    const i64 runs = (d.last + 1) / run;
    for (const i64 start : {i64(0), (runs - 1) * run, static_cast<i64>(random() % static_cast<u64>(runs)) * run}) {
      tabulation t = tabulate_from(d.line, d.slope, d.curvature, d.scale, d.last, start);
      for (i64 m = 0; m < run; ++m) {
        const i128 lost = d.excess(start + m, t.value);
        wrong += lost < 0 || lost >= (m + 1) * d.unit();
        inexact += lost >= d.unit(); // more than the start's own error
        tabulate_next(&t);
      }
    }
  });
  CHECK(wrong == 0);
  CHECK(inexact > 1000);
}
