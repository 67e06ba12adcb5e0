// Taylor coefficients of trigonometric functions.
#pragma once

#include "number/arb.hpp"

namespace tmd {

// Function::series of the sine.
void sin_series(arb_ptr coefficients, arb_srcptr x, long length, long precision);

} // namespace tmd
