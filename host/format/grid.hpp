// The breakpoints at which a rounding changes its result.
#pragma once

#include "tmd/rounding.hpp"

#include <algorithm>

namespace tmd::format {

// Breakpoints of values with `precision` bits. In the binade [2^g, 2^(g+1)) the ulp is u = 2^(g − precision + 1), but
// below 2^min_exponent it is that of the subnormal numbers, 2^(min_exponent − precision + 1). Breakpoints are the y
// with y/s − shift an integer; beyond the last of [2^max_exponent, 2^(max_exponent + 1)) there are none, and 0 is none.
struct BreakpointGrid {
  static constexpr int no_exponent = 1 << 30; // beyond all values that are searched

  Rounding rounding = Rounding::all;
  int precision = 53;
  int min_exponent = -no_exponent; // of normal numbers
  int max_exponent = no_exponent;

  // Whether values are rounded in a format with bounded exponents.
  [[nodiscard]] bool is_bounded() const { return max_exponent != no_exponent; }
  // log2 of the spacing s in the binade of 2^g.
  [[nodiscard]] int spacing_exponent(int value_exponent) const {
    return std::max(value_exponent, min_exponent) - precision + (rounding == Rounding::all ? 0 : 1);
  }
  [[nodiscard]] int least_spacing_exponent() const { return spacing_exponent(min_exponent); }
  // Whether values in the binade of 2^g may be closer than 2^−bits spacings to a breakpoint, as far as their size
  // tells: false below half the least breakpoint.
  [[nodiscard]] bool reaches(int value_exponent, int K) const {
    if (!is_bounded() || value_exponent > max_exponent)
      return !is_bounded();
    if (shifted()) // the first breakpoint is half a spacing from 0
      return K == 1 || value_exponent + 1 > least_spacing_exponent() - 2;
    return value_exponent + 1 > least_spacing_exponent() - 1;
  }
  // log2 of the number one past that of the last breakpoint of a binade.
  [[nodiscard]] int number_bits() const { return precision + (rounding == Rounding::all ? 1 : 0); }
  // Whether a breakpoint of the binade of 2^g whose number has so many bits is not beyond the last breakpoint of all.
  [[nodiscard]] bool is_within(int value_exponent, int bits_of_number) const {
    return value_exponent < max_exponent || (value_exponent == max_exponent && bits_of_number <= number_bits());
  }
  // Whether the shift is 1/2 (else 0).
  [[nodiscard]] bool shifted() const { return rounding == Rounding::nearest; }
  // The kind of the breakpoint with number n.
  [[nodiscard]] Breakpoint kind(bool number_is_odd) const {
    if (rounding == Rounding::all)
      return number_is_odd ? Breakpoint::midpoint : Breakpoint::representable;
    return rounding == Rounding::nearest ? Breakpoint::midpoint : Breakpoint::representable;
  }
};

} // namespace tmd::format
