// Taylor coefficients of logarithms.
#pragma once

#include "number/arb.hpp"

namespace tmd {

// Function::series of the natural logarithm.
void log_series(arb_ptr coefficients, arb_srcptr x, long length, long precision);

} // namespace tmd
