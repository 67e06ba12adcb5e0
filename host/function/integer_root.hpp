// Computes roots in integers: Arb and MPFR share code for roots, so neither can check the other.
#pragma once

#include "number/mpfr.hpp"

namespace tmd::function {

// y = x^(1/n), n ≠ 0, rounded; returns MPFR's ternary value. NaN if there is no root (negative x for even n), infinite
// at the pole x = 0 for n < 0. Throws SoundnessError if the root's powers do not enclose x.
int integer_root(mpfr_ptr y, mpfr_srcptr x, long n, mpfr_rnd_t rounding);

} // namespace tmd::function
