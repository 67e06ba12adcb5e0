// Consecutive breakpoints of an angle, and all fractions near the tangents at them (doc/theory/two-variables.md,
// "atan2").
#pragma once

#include "number/bound.hpp"
#include "pairs/pair_job.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace tmd::pairs {

// Angles z = (n + shift)·2^spacing for first ≤ n < end; in half turns for atan2pi, else in radians.
struct AngleStrip {
  bool left = false; // x < 0: the tangent of the angle to the left half of the axis counts
  int spacing = 0;   // log2
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  int repeats =
      0; // so many strips below, 2^-1, 2^-2, … times as far from 0, have the same fractions but for `widening`
};

// What is added up to the distance from an integer within which φ·x is looked at.
struct AngleLedger {
  number::Bound phi;    // what φ is off by; times x
  number::Bound values; // |y − φ·x| below this for y/x near an angle
};

// Of a strip whose tangents are known well enough by one polynomial in n. θ = |tan z|, φ = 2^(1 − exponent)·θ ≥ 1.
class AngleBlock {
public:
  // Nothing where the block should be halved; never nothing for a single angle. Throws UsageError where K does not tell
  // the values near the angle from those at the pole of the tangent.
  [[nodiscard]] static std::optional<AngleBlock> plan(const PairJob& job, const AngleStrip& strip, std::uint64_t first,
                                                      std::uint64_t count);

  // Calls take(y, x, e) for every ratio (y/x)·2^e of numbers with p bits whose angle is closer than 2^-K spacings to
  // one of the block, and for others near them. x has p bits; y may have more: then the ratio is none of such numbers.
  using Take = std::function<void(std::uint64_t y, std::uint64_t x, int e)>;
  void each_fraction(const Take& take) const;

  // Tests leave out terms, and see cases go missing.
  [[nodiscard]] AngleLedger& ledger() { return ledger_; }

private:
  static constexpr int degree = 5;

  void set_coefficients(arb_srcptr values, bool negative);
  // Of angle i, with 126 bits behind the point.
  [[nodiscard]] uint128 phi(std::int64_t i) const;
  void near_one(uint128 phi, const Take& take) const;
  void each_numerator(uint128 phi, const Take& take) const;

  std::array<uint128, degree + 1> coefficients_{}; // of φ by i = n − middle, with 126 bits behind the point
  std::int64_t first_ = 0;                         // i
  std::int64_t end_ = 0;
  int exponent_ = 0;
  int precision_ = 0;
  AngleLedger ledger_;
};

} // namespace tmd::pairs
