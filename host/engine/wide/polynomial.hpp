// The polynomial of an interval for the wide test: shifted by the device to sub-intervals, and from there to groups.
#pragma once

#include "polynomial/taylor.hpp"

#include <cstdint>
#include <vector>

namespace tmd::engine::wide {

// With i = first + T, the interval's polynomial is Σ a_j·T^j, 0 ≤ T < count. Its coefficients are a_j·2^(j·sub_bits)
// modulo 2^128, in words, two of them before the point. So a shift by whole sub-intervals needs only their numbers.
class WidePolynomial {
public:
  // 6 ≤ group_bits, group_bits + 4 ≤ sub_bits ≤ 32.
  WidePolynomial(const polynomial::TaylorPolynomial& taylor, int sub_bits, int group_bits);

  // The words() of such a polynomial.
  [[nodiscard]] static int words_for(const polynomial::TaylorPolynomial& taylor, int sub_bits);

  [[nodiscard]] int sub_bits() const { return sub_bits_; }     // log2 of a sub-interval's arguments
  [[nodiscard]] int group_bits() const { return group_bits_; } // log2 of a group's arguments, 2·M
  [[nodiscard]] int words() const { return words_; }           // 64-bit words of a coefficient
  [[nodiscard]] std::uint32_t size() const {
    return static_cast<std::uint32_t>(words_of_.size()) / static_cast<std::uint32_t>(words_);
  }
  // The coefficients from the constant one on, words() words each, most significant first.
  [[nodiscard]] const std::vector<std::uint64_t>& coefficients() const { return words_of_; }

  // Bounds over all sub-intervals, in units of the breakpoint spacing. First the coefficients' rounding, anywhere in
  // any sub-interval, with what Horner's scheme drops on the device.
  [[nodiscard]] const number::Bound& coefficient_error() const { return coefficient_error_; }
  // The rounding of a group's c0 + c1·i.
  [[nodiscard]] const number::Bound& group_error() const { return group_error_; }
  // The terms of degree > 4 in one sub-interval.
  [[nodiscard]] const number::Bound& beyond() const { return beyond_; }
  // The terms of degree > 2 in one group.
  [[nodiscard]] const number::Bound& high() const { return high_; }
  // Σ of the absolute values of the terms of a group's c2·M².
  [[nodiscard]] const number::Bound& curvature() const { return curvature_; }

private:
  int sub_bits_;
  int group_bits_;
  int words_ = 0;
  std::vector<std::uint64_t> words_of_;
  number::Bound coefficient_error_;
  number::Bound group_error_;
  number::Bound beyond_;
  number::Bound high_;
  number::Bound curvature_;
};

} // namespace tmd::engine::wide
