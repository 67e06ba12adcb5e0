// Taylor coefficients of exponential functions.
#pragma once

#include "number/arb.hpp"

namespace tmd {

// Function::series of e^x and 2^x.
void exp_series(arb_ptr coefficients, arb_srcptr x, long length, long precision);
void exp2_series(arb_ptr coefficients, arb_srcptr x, long length, long precision);

} // namespace tmd
