// Groups for the wide test: cubic polynomials modulo 1 with a known hit, exact to 2^−128.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace tmd {

__extension__ using u128 = unsigned __int128;
__extension__ using i128 = __int128;

// The input of the wide test.
struct GivenGroup {
  std::uint64_t c0;
  std::uint64_t c1;
  float c2M2;
  float half_width;
  float error;
  float curvature;
  float denominator_limit;
  float most_lines;
};

// splitmix64
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return (*this)() % bound; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  double between(double from, double to) {
    return from + (to - from) * (static_cast<double>((*this)() >> 11) * 0x1p-53);
  }
  double power_of_2(double from, double to) { return std::exp2(between(from, to)); }
  double sign() { return one_in(2) ? 1.0 : -1.0; }

private:
  std::uint64_t state_;
};

// The number x modulo 1, in units of 2^−128.
inline i128 fixed(double x) { return static_cast<i128>(std::ldexp(x - std::floor(x + 0.5), 128)); }
inline double real(i128 x) { return std::ldexp(static_cast<double>(x), -128); }

// F(i) = c0 + c1·i + c2·i² + c3·i³ modulo 1 for −M ≤ i < M.
struct Group {
  int half_bits; // log2 of M
  u128 c0;       // in units of 2^−128, like the others
  u128 c1;
  i128 c2;
  i128 c3;
  double epsilon;
  double drift; // greatest error of the slope as given, in units of 2^−64

  [[nodiscard]] std::int32_t half_width() const { return std::int32_t(1) << half_bits; }
  [[nodiscard]] u128 value(std::int64_t i) const {
    const u128 x = static_cast<u128>(i128(i));
    return c0 + (c1 + (static_cast<u128>(c2) + static_cast<u128>(c3) * x) * x) * x;
  }
  // The same in units of 2^−64, truncated.
  [[nodiscard]] std::uint64_t value_in_64_bits(std::int64_t i) const {
    return static_cast<std::uint64_t>(value(i) >> 64);
  }
  // Whether a value is closer than ε to an integer.
  [[nodiscard]] bool counts(u128 value) const {
    const u128 bound = static_cast<u128>(fixed(epsilon));
    return value + bound - 1 < 2 * bound - 1;
  }
  // All i that must be found, by tabulated differences.
  void enumerate(std::vector<std::int32_t>& hits) const {
    const std::int32_t m = half_width();
    const u128 bound = static_cast<u128>(fixed(epsilon));
    u128 f = value(-m);
    u128 d1 = value(1 - m) - f;
    u128 d2 = value(2 - m) - value(1 - m) - d1;
    const u128 d3 = 6 * static_cast<u128>(c3);
    for (std::int32_t i = -m; i < m; ++i) {
      if (f + bound - 1 < 2 * bound - 1)
        hits.push_back(i);
      f += d1;
      d1 += d2;
      d2 += d3;
    }
  }

  // Bound of the difference between F and c0 + c1·i + c2·i² as given.
  [[nodiscard]] double cubic_error() const { return std::abs(real(c3)) * std::pow(half_width(), 3); }
  [[nodiscard]] double given_error() const { return (1 + half_width() * (1 + drift)) * 0x1p-64; }

  // `noise`: share of that bound by which the group is off, −1 to 1.
  [[nodiscard]] GivenGroup given(double denominator_limit, double most_lines, double noise) const {
    const double m = half_width();
    const double curvature = std::abs(real(c2)) * m * m;
    GivenGroup g{};
    g.c0 = static_cast<std::uint64_t>(c0 >> 64);
    g.c1 = static_cast<std::uint64_t>(c1 >> 64) + static_cast<std::uint64_t>(static_cast<std::int64_t>(drift * noise));
    g.c2M2 = static_cast<float>(real(c2) * m * m + noise * 0x1.8p-22 * curvature);
    g.half_width = static_cast<float>(m);
    g.error = static_cast<float>((epsilon + cubic_error() + given_error()) * (1 + 0x1p-23));
    g.curvature = static_cast<float>(curvature * (1 + 0x1p-23));
    g.denominator_limit = static_cast<float>(denominator_limit);
    g.most_lines = static_cast<float>(most_lines);
    return g;
  }
  void plant(std::int32_t hit, double value_there) {
    c0 = 0;
    c0 = static_cast<u128>(fixed(value_there)) - value(hit);
  }

  // The same group around another centre, a power of two smaller.
  [[nodiscard]] Group part(int part_half_bits, std::int32_t centre) const {
    const u128 x = static_cast<u128>(i128(centre));
    Group p = *this;
    p.half_bits = part_half_bits;
    p.c0 = value(centre);
    p.c1 = c1 + 2 * static_cast<u128>(c2) * x + 3 * static_cast<u128>(c3) * x * x;
    p.c2 = c2 + 3 * c3 * centre;
    return p;
  }
};

// A group, the greatest denominator and the number of lines for it; F(hit) is closer than ε to 0.
struct Trial {
  Group group;
  double denominator_limit;
  double most_lines;
  double noise;
  std::int32_t hit;

  [[nodiscard]] GivenGroup given() const { return group.given(denominator_limit, most_lines, noise); }
};

// Slopes at, near and far from rationals; bends of all sizes and both signs; apexes inside, at the edge and outside.
inline Trial random_trial(Random& random, int half_bits, double least_log_epsilon, double most_log_epsilon) {
  Trial t{};
  Group& g = t.group;
  g.half_bits = half_bits;
  const double m = g.half_width();
  g.epsilon = random.power_of_2(least_log_epsilon, random.between(least_log_epsilon, most_log_epsilon));

  const std::uint64_t denominator = 1 + random.below(std::uint64_t(1) << random.below(std::min(half_bits + 3, 23)));
  // Bends from 0 to values with some hundred lines.
  double bend = random.power_of_2(-4, 5) * random.sign();
  if (random.one_in(4))
    bend = random.power_of_2(-24, 6) * random.sign();
  if (random.one_in(8))
    bend = random.power_of_2(-60, -20) * random.sign();
  if (random.one_in(10))
    bend = 0;
  const double c2 = std::clamp(bend / static_cast<double>(denominator) / (m * m), -0.25, 0.25);
  g.c2 = fixed(c2);

  const u128 one = ~u128(0);
  g.c1 = one / denominator * random.below(denominator);
  double apex = random.between(-1.0, 1.0);
  switch (random.below(8)) {
  case 0: // far from every rational
    g.c1 = (u128(random()) << 64) | random();
    if (random.one_in(4)) // where remainders and their signs reach their limits
      g.c1 = (u128(random.below(5)) << 126) +
             static_cast<u128>((i128(random.below(5)) - 2) * (i128(1) << (64 + random.below(48))));
    break;
  case 1: // on a rational
    break;
  case 2: // near one
    g.c1 += static_cast<u128>(fixed(random.sign() * random.power_of_2(-64, -2)));
    break;
  case 3: // some lines wide
    g.c1 += static_cast<u128>(
        fixed(std::clamp(random.sign() * random.power_of_2(-6, 6) / m / static_cast<double>(denominator), -0.4, 0.4)));
    break;
  case 4: // the apex outside
    apex = random.sign() * random.power_of_2(0, 12);
    g.c1 -= static_cast<u128>(fixed(2 * c2 * m * apex));
    break;
  case 5: // at the edge
    apex = random.sign() * (1.0 + random.between(-3.0, 3.0) / m);
    g.c1 -= static_cast<u128>(fixed(2 * c2 * m * apex));
    break;
  default: // inside
    g.c1 -= static_cast<u128>(fixed(2 * c2 * m * apex));
    break;
  }
  if (random.one_in(2)) {
    g.drift = 30;
    t.noise = random.one_in(2) ? random.sign() : random.between(-1.0, 1.0);
  } else
    g.c1 &= ~u128(~std::uint64_t(0));

  const double cubic = random.one_in(4) ? 0.0 : g.epsilon * random.power_of_2(-8, 4);
  g.c3 = fixed(random.sign() * std::min(cubic, 0.1) / (m * m * m));

  t.hit = static_cast<std::int32_t>(random.below(2 * static_cast<std::uint64_t>(m))) - g.half_width();
  const std::uint64_t where = random.below(8);
  if (where == 0)
    t.hit = -g.half_width();
  if (where == 1)
    t.hit = g.half_width() - 1;
  if (where >= 5)
    t.hit = static_cast<std::int32_t>(
        std::clamp(std::round(apex * m + random.sign() * (random.power_of_2(0, half_bits) - 1)), -m, m - 1));
  const double size = random.one_in(2) ? 1 - 0x1p-40 : random.between(0, 1);
  g.plant(t.hit, random.sign() * size * g.epsilon);

  t.denominator_limit = std::floor(random.power_of_2(1, 22));
  if (random.one_in(2)) // the denominator that was meant
    t.denominator_limit = std::clamp(static_cast<double>(denominator) * random.power_of_2(0, 3), 2.0, 0x1p22);
  t.most_lines = random.power_of_2(4, 9);
  return t;
}

// With ε near 0, the losses of floats decide. Groups are large; the hit is at the apex, near it, or anywhere.
inline Trial rounding_trial_of(Random& random, int half_bits) {
  Trial t{};
  Group& g = t.group;
  g.half_bits = half_bits;
  const double m = g.half_width();
  g.epsilon = 0x1p-60;
  const std::uint64_t denominator = 1 + random.below(std::uint64_t(1) << (1 + random.below(22)));
  const double bend = random.power_of_2(-3, 5) * random.sign();
  const double c2 = bend / static_cast<double>(denominator) / (m * m);
  const double apex = random.one_in(3) ? random.sign() * random.power_of_2(0, 3) : random.between(-1, 1);
  g.c2 = fixed(c2);
  g.c1 = ~u128(0) / denominator * random.below(denominator) - static_cast<u128>(fixed(2 * c2 * m * apex));
  g.c1 &= ~u128(~std::uint64_t(0));
  t.noise = random.sign();
  t.hit = static_cast<std::int32_t>(random.below(2 * static_cast<std::uint64_t>(m))) - g.half_width();
  if (random.one_in(2))
    t.hit = static_cast<std::int32_t>(
        std::clamp(std::round(apex * m + random.sign() * random.power_of_2(0, g.half_bits)), -m, m - 1));
  g.plant(t.hit, 0);
  t.denominator_limit = std::clamp(static_cast<double>(denominator) * random.power_of_2(0, 2), 2.0, 0x1p22);
  t.most_lines = 200;
  return t;
}
inline Trial rounding_trial(Random& random) {
  return rounding_trial_of(random, 20 + static_cast<int>(random.below(random.one_in(2) ? 2 : 7)));
}

} // namespace tmd
