// The scaled function F of one piece, whose values are in units of spacings and whose argument is an index.
#pragma once

#include "format/grid.hpp"
#include "function/function.hpp"
#include "job/piece.hpp"
#include "number/arb.hpp"

namespace tmd::polynomial {

// F(i) = |f(X_i)|/s − shift on a piece: its breakpoints are exactly the integers.
class ScaledFunction {
public:
  ScaledFunction(const function::Function& function, const format::BreakpointGrid& grid, const job::Piece& piece);

  [[nodiscard]] const job::Piece& piece() const { return piece_; }

  // coefficients[j] encloses F^(j)(i)/j! for every index i of the ball, j < length.
  void series(arb_ptr coefficients, arb_srcptr index, long length, long precision) const;

private:
  const function::Function* function_;
  format::BreakpointGrid grid_;
  job::Piece piece_;
};

} // namespace tmd::polynomial
