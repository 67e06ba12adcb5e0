// Pieces: consecutive arguments on which one scaled function serves.
#pragma once

#include "job/stretch.hpp"

namespace tmd::job {

// Arguments of one sign and one input binade whose values have one sign and lie in one output binade.
struct Piece : Stretch {
  bool value_negative;
  int value_exponent; // g of the output binade [2^g, 2^(g + 1))
};

} // namespace tmd::job
