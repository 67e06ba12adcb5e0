// The breakpoints at which a rounding changes its result.
#pragma once

#include "format/format.hpp"

#include <string_view>

namespace tmd {

// Which breakpoints count: `directed` roundings change at representable numbers, multiples of the ulp u; rounding to
// `nearest` at midpoints, odd multiples of u/2; `all` takes both, multiples of u/2.
enum class Rounding { all, directed, nearest };

[[nodiscard]] std::string_view to_string(Rounding rounding);
// Throws UsageError for an unknown name.
[[nodiscard]] Rounding parse_rounding(std::string_view name);

enum class Breakpoint { representable, midpoint };

[[nodiscard]] std::string_view to_string(Breakpoint breakpoint);

// Breakpoints of values with `precision` bits and unbounded exponent. In the binade [2^g, 2^(g+1)) the ulp is
// u = 2^(g − precision + 1), and the breakpoints are the y with y/s − shift an integer.
struct BreakpointGrid {
  Rounding rounding = Rounding::all;
  int precision = 53;

  // log2 of the spacing s in the binade of 2^g.
  [[nodiscard]] int spacing_exponent(int value_exponent) const {
    return value_exponent - precision + (rounding == Rounding::all ? 0 : 1);
  }
  // Whether the shift is 1/2 (else 0).
  [[nodiscard]] bool shifted() const { return rounding == Rounding::nearest; }
  // What kind the breakpoint number n is.
  [[nodiscard]] Breakpoint kind(bool number_is_odd) const {
    if (rounding == Rounding::all)
      return number_is_odd ? Breakpoint::midpoint : Breakpoint::representable;
    return rounding == Rounding::nearest ? Breakpoint::midpoint : Breakpoint::representable;
  }
};

} // namespace tmd
