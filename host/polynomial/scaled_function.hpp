// F: the function of a search seen from one piece of its range, in units of breakpoints and arguments.
#pragma once

#include "format/grid.hpp"
#include "function/function.hpp"
#include "job/piece.hpp"
#include "number/arb.hpp"

namespace tmd {

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
