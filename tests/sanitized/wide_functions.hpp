// Groups as functions have them, with a hit where it is hardest to find, given off by all that the ledger allows.
#pragma once

#include "host/engine/wide/constants.hpp"
#include "sanitized/wide_groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tmd {

enum class Of : std::uint8_t { exp, log };

// Groups of 2^(half_bits + 1) arguments from the binade of 2^exponent, breakpoints of all kinds.
struct FunctionJob {
  const char* name;
  Of function;
  int precision;
  int exponent;
  int bits; // K
  int half_bits;
};

struct PlantedGroup {
  Group group;
  double denominator_limit;
  double most_lines;
  double half_curvature; // error of c2·M², in 8u of it; −1 to 1
  double value_off;      // error of c0, in units of 2^−64; −9 to 9
  double slope_off;      // error of c1, −30 to 30
  std::int32_t hit;

  // error_factor: 1, or less for a test that must miss.
  [[nodiscard]] GivenGroup given(double error_factor = 1) const {
    const double m = group.half_width();
    const double curvature = std::abs(real(group.c2)) * m * m;
    const auto units = [](double x) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(x)); };
    GivenGroup g{};
    g.c0 = static_cast<std::uint64_t>(group.c0 >> 64) + units(value_off);
    g.c1 = static_cast<std::uint64_t>(group.c1 >> 64) + units(slope_off);
    g.c2M2 = static_cast<float>(real(group.c2) * m * m + half_curvature * 0x1.cp-22 * curvature); // and u for the float
    g.half_width = static_cast<float>(m);
    const double error = group.epsilon + group.cubic_error() + (10 + 30 * m) * 0x1p-64;
    g.error = std::nextafter(static_cast<float>(error_factor * error), INFINITY);
    g.curvature = std::nextafter(static_cast<float>(std::max(curvature, 0x1p-40)), INFINITY);
    g.denominator_limit = static_cast<float>(denominator_limit);
    g.most_lines = static_cast<float>(most_lines);
    return g;
  }
  // The part in which the hit lies; there, the hit is `hit_there`.
  [[nodiscard]] PlantedGroup part(std::int32_t& hit_there) const {
    const int part_bits = engine::wide::part_bits_of(group.half_bits + 1);
    const std::int32_t half = group.half_width() >> part_bits;
    const std::int32_t centre = (hit & -(2 * half)) + half;
    PlantedGroup p = *this;
    p.group = group.part(group.half_bits - part_bits, centre);
    p.group.c1 &= ~u128(~std::uint64_t(0));
    p.group.plant(hit - centre, real(static_cast<i128>(group.value(hit))));
    hit_there = hit - centre;
    return p;
  }
};

// most_denominator: the planner's limit. The hit is anywhere, at an end, or, if the apex of the lines is given (as a
// part of M), next to it.
template <typename ApexOf>
PlantedGroup planted_group(Random& random, const FunctionJob& job, double most_denominator, const ApexOf& apex_of) {
  const double x = std::ldexp(random.between(1, 2), job.exponent);
  const double y = job.function == Of::exp ? std::exp(x) : std::log(x);
  // A step of the argument; relative to x for log, where x³ would be too large.
  const double h = std::ldexp(1.0, job.exponent - job.precision + 1) / (job.function == Of::exp ? 1 : x);
  const double per_s = std::ldexp(1.0, job.precision - std::ilogb(y));
  PlantedGroup p{};
  Group& g = p.group;
  g.half_bits = job.half_bits;
  g.epsilon = std::exp2(-job.bits);
  const double m = g.half_width();
  const double first = job.function == Of::exp ? y : 1;
  const double second = job.function == Of::exp ? y / 2 : -0.5;
  const double third = job.function == Of::exp ? y / 6 : 1.0 / 3;
  // Bits of the slope that a double cannot hold are random.
  g.c1 = static_cast<u128>(fixed(first * h * per_s * (1 + random.between(-1, 1) * 0x1p-52)));
  g.c1 = (g.c1 & ~(~u128(0) >> 60)) | (u128(random()) << 64 & (~u128(0) >> 60));
  g.c2 = fixed(second * h * h * per_s);
  g.c3 = fixed(third * h * h * h * per_s);
  const double c2 = std::abs(real(g.c2));
  p.denominator_limit = std::clamp(1.4 / std::sqrt(c2 * m + 1e-30), 2.0, most_denominator);
  p.most_lines = 64 + 8 * (1.05 * std::sqrt(c2 * m) * m + m / most_denominator);

  p.half_curvature = random.one_in(4) ? random.between(-1, 1) : random.sign();
  p.value_off = random.one_in(4) ? random.between(-9, 9) : 9 * random.sign();
  p.slope_off = random.one_in(4) ? random.between(-30, 30) : 30 * random.sign();
  p.hit = static_cast<std::int32_t>(random.below(2 * static_cast<std::uint64_t>(m))) - g.half_width();
  switch (random.below(8)) {
  case 0:
    p.hit = -g.half_width();
    break;
  case 1:
    p.hit = g.half_width() - 1;
    break;
  case 2:
  case 3:
  case 4: {
    const double beside = random.one_in(4) ? 0 : random.sign() * random.power_of_2(0, job.half_bits);
    if (const double apex = apex_of(p.given()); std::abs(apex) <= 1)
      p.hit = static_cast<std::int32_t>(std::clamp(std::round(apex * m + beside), -m, m - 1));
    break;
  }
  default:
    break;
  }
  const double size = random.one_in(2) ? 1 - 0x1p-30 : random.between(0, 1);
  g.plant(p.hit, random.sign() * size * g.epsilon);
  return p;
}

} // namespace tmd
