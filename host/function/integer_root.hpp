// Roots decided in integers: Arb and MPFR share code for roots, so that neither checks the other.
#pragma once

#include "number/mpfr.hpp"

namespace tmd::function {

// y = x^(1/n), n ≠ 0, rounded; returns MPFR's ternary value. Negative x has a root for odd n only; not a number where
// there is none, infinite at the pole x = 0 of n < 0. Throws SoundnessError if the root's powers do not enclose x.
int integer_root(mpfr_ptr y, mpfr_srcptr x, long n, mpfr_rnd_t rounding);

} // namespace tmd::function
