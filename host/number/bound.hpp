// Upper bounds: every operation rounds up, so that a sum of error terms is never less than the errors it bounds.
#pragma once

#include "number/arb.hpp"

#include <cstdint>

namespace tmd::number {

// An upper bound of a non-negative real. Arithmetic is Arb's mag_t: 30 bits, always upwards, unlimited exponent.
class Bound {
public:
  Bound() { mag_init(value_); }
  explicit Bound(std::uint64_t value) : Bound() { mag_set_ui(value_, value); }
  Bound(const Bound& other) : Bound() { mag_set(value_, other.value_); }
  Bound(Bound&& other) noexcept : Bound() { mag_swap(value_, other.value_); }
  Bound& operator=(const Bound& other) {
    mag_set(value_, other.value_);
    return *this;
  }
  Bound& operator=(Bound&& other) noexcept {
    mag_swap(value_, other.value_);
    return *this;
  }
  ~Bound() { mag_clear(value_); }

  // 2^exponent, exactly.
  static Bound power_of_two(long exponent);
  // max |x| over the ball; infinite if the ball is not finite.
  static Bound of(arb_srcptr ball);
  // The radius of the ball.
  static Bound radius_of(arb_srcptr ball);

  Bound& operator+=(const Bound& other) {
    mag_add(value_, value_, other.value_);
    return *this;
  }
  Bound& operator*=(const Bound& other) {
    mag_mul(value_, value_, other.value_);
    return *this;
  }
  friend Bound operator+(Bound left, const Bound& right) { return left += right; }
  friend Bound operator*(Bound left, const Bound& right) { return left *= right; }
  // The double rounded up, for doubles that are not negative. A result of value() gives the same bound again.
  static Bound of(double value);
  // Times 2^exponent, exactly.
  [[nodiscard]] Bound scaled(long exponent) const;
  friend bool operator<(const Bound& left, const Bound& right) { return mag_cmp(left.value_, right.value_) < 0; }

  [[nodiscard]] bool is_finite() const { return mag_is_finite(value_) != 0; }
  [[nodiscard]] bool is_zero() const { return mag_is_zero(value_) != 0; }
  // The bound as a double, rounded up.
  [[nodiscard]] double value() const { return mag_get_d(value_); }
  // log2 of the bound, to about six digits; −infinity for zero. For printing and choosing, not for proofs.
  [[nodiscard]] double log2() const;
  // ⌈bound·2^64⌉; throws std::overflow_error if that is not below 2^64.
  [[nodiscard]] std::uint64_t fixed_point() const;

private:
  mag_t value_;
};

// The ends of a ball, rounded outwards.
[[nodiscard]] double lower_end(const Arb& ball);
[[nodiscard]] double upper_end(const Arb& ball);

[[nodiscard]] Bound max(const Bound& left, const Bound& right);
// base^exponent for exponent ≥ 0.
[[nodiscard]] Bound power(const Bound& base, unsigned exponent);
// C(n, k), rounded up.
[[nodiscard]] Bound binomial(std::uint64_t n, int k);
// Whether a test against this bound can filter: with 1/4 or more it cannot (doc/theory/method.md).
[[nodiscard]] bool can_filter(const Bound& bound);

// A float above x, by at most two units in its last place.
[[nodiscard]] float float_above(double x);

} // namespace tmd::number
