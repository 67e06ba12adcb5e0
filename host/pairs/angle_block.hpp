// A block of consecutive breakpoints of an angle, and the search for all fractions near their tangents
// (doc/theory/two-variables.md, "atan2").
#pragma once

#include "number/bound.hpp"
#include "pairs/pair_job.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

namespace tmd::pairs {

// The angles z = (n + shift)·2^spacing for first ≤ n < end, in half turns for atan2pi, else in radians.
struct AngleStrip {
  bool left = false; // x < 0: the tangent of the angle to the negative half of the x-axis counts
  int spacing = 0;   // log2
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  int repeats =
      0; // so many strips below, 2^-1, 2^-2, … times as far from 0, have the same fractions but for `widening`
};

// The terms added to the distance from an integer within which φ·x is looked at.
struct AngleLedger {
  number::Bound phi;    // bound for the error of φ; times x
  number::Bound values; // bound for |y − φ·x| when y/x is near an angle
};

// A part of a strip whose tangents one polynomial in n gives well enough. θ = |tan z|, φ = 2^(1 − exponent)·θ ≥ 1.
class AngleBlock {
public:
  // Nothing if the block should be halved; a single angle always gets a block. Throws UsageError if K is too small to
  // separate values near the angle from those at the pole of the tangent.
  [[nodiscard]] static std::optional<AngleBlock> plan(const PairJob& job, const AngleStrip& strip, std::uint64_t first,
                                                      std::uint64_t count);

  // Calls take(y, x, e) for every ratio (y/x)·2^e of numbers with p bits whose angle is closer than 2^-K spacings to
  // one of the block, and for some others near them. x has p bits; y may have more: then the ratio is to be ignored.
  using Take = std::function<void(std::uint64_t y, std::uint64_t x, int e)>;
  void each_fraction(const Take& take) const;

  // Mutable, so that tests can leave out terms and see that cases are missed.
  [[nodiscard]] AngleLedger& ledger() { return ledger_; }

private:
  static constexpr int degree = 5;

  void set_coefficients(arb_srcptr values, bool negative);
  // φ of angle i, with 126 fraction bits.
  [[nodiscard]] uint128 phi(std::int64_t i) const;
  void near_one(uint128 phi, const Take& take) const;
  void each_numerator(uint128 phi, const Take& take) const;

  std::array<uint128, degree + 1> coefficients_{}; // of φ as a polynomial in i = n − middle, with 126 fraction bits
  std::int64_t first_ = 0;                         // the first i
  std::int64_t end_ = 0;
  int exponent_ = 0;
  int precision_ = 0;
  AngleLedger ledger_;
};

} // namespace tmd::pairs
