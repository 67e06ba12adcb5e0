#include "polynomial/scaled_function.hpp"

namespace tmd::polynomial {

ScaledFunction::ScaledFunction(const function::Function& function, const format::BreakpointGrid& grid,
                               const job::Piece& piece)
    : function_(&function), grid_(grid), piece_(piece) {}

void ScaledFunction::series(arb_ptr coefficients, arb_srcptr index, long length, long precision) const {
  // x = ±(first + i)·2^unit, exactly: the sum has at most some 130 bits more than i.
  number::Arb x;
  number::set(x, piece_.first);
  arb_add(x, x, index, ARF_PREC_EXACT);
  job::to_arguments(x, piece_);
  function_->series(coefficients, x, length, precision);

  const long spacing = grid_.spacing_exponent(piece_.value_exponent);
  for (long j = 0; j < length; ++j) {
    arb_mul_2exp_si(coefficients + j, coefficients + j, j * piece_.unit_exponent - spacing);
    if (piece_.value_negative != (piece_.negative && j % 2 != 0))
      arb_neg(coefficients + j, coefficients + j);
  }
  if (grid_.shifted()) {
    number::Arb half;
    arb_one(half);
    arb_mul_2exp_si(half, half, -1);
    arb_sub(coefficients, coefficients, half, precision);
  }
}

} // namespace tmd::polynomial
