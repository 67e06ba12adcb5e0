// F: the function of a search seen from one piece of its range, in units of breakpoints and arguments.
#pragma once

#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/function.hpp"
#include "number/arb.hpp"

namespace tmd {

// Arguments of one sign and one input binade whose values have one sign and lie in one output binade.
struct Piece {
  bool negative;     // the arguments' sign
  int unit_exponent; // log2 of the arguments' spacing h
  uint128 first;     // significand of the first argument: ±first·h, ±(first + 1)·h, …
  uint128 count;     // arguments
  bool value_negative;
  int value_exponent; // g of the output binade [2^g, 2^(g+1))

  [[nodiscard]] Argument argument(uint128 index) const { return {negative, first + index, unit_exponent}; }
};

// F(i) = |f(X_i)|/s − shift on a piece: its breakpoints are exactly the integers.
class ScaledFunction {
public:
  ScaledFunction(const Function& function, const BreakpointGrid& grid, const Piece& piece);

  [[nodiscard]] const Piece& piece() const { return piece_; }

  // coefficients[j] encloses F^(j)(i)/j! for every index i of the ball, j < length.
  void series(arb_ptr coefficients, arb_srcptr index, long length, long precision) const;

private:
  const Function* function_;
  BreakpointGrid grid_;
  Piece piece_;
};

} // namespace tmd
