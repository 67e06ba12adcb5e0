// Taylor coefficients of powers x^a.
#pragma once

#include "number/arb.hpp"

namespace tmd {

// Function::series of the cube root.
void cbrt_series(arb_ptr coefficients, arb_srcptr x, long length, long precision);

} // namespace tmd
