// Intervals whose ends are numbers.
#pragma once

#include "number/arb.hpp"

namespace tmd::number {

// Exponents of 2 beyond all others, and that of 0.
inline constexpr long far_beyond = 1L << 40;
inline constexpr long no_exponent = -far_beyond;

// The least e with |y| < 2^e.
[[nodiscard]] long exponent_above(arf_srcptr y);

// Negative if the thin ball is less than the number, 0 if they are equal.
[[nodiscard]] int compare(const Arb& thin, const Integer& number);

// The interval [lower, upper]. Both balls are thin, and either may be infinite.
struct Hull {
  Arb lower;
  Arb upper;

  // An interval that contains the ball.
  [[nodiscard]] static Hull of(arb_srcptr ball, long precision);
  // Extends the interval to the other one.
  void add(const Hull& other);
  [[nodiscard]] Hull negated() const;
  [[nodiscard]] bool contains(const Integer& number) const;
  // Whether every number of the interval is nearer than 2^exponent to this one.
  [[nodiscard]] bool is_near(const Integer& number, long exponent) const;
};

} // namespace tmd::number
