// Where values are dyadic numbers: the theorems, as functions of a dyadic argument x.
#pragma once

#include "function/function.hpp"

namespace tmd {

// Exact at 0 alone: e^x and sin x are transcendental for algebraic x ≠ 0 (Lindemann, Weierstrass).
[[nodiscard]] Exactness exact_at_zero(mpfr_srcptr x);

// Exact at 1 alone: log x is transcendental for algebraic x ≠ 1 (Lindemann).
[[nodiscard]] Exactness exact_at_one(mpfr_srcptr x);

// Exact at the integers: 2^(m/n) in lowest terms is rational for n = 1 alone (unique factorization).
[[nodiscard]] Exactness exact_at_integers(mpfr_srcptr x);

// Exact at the cubes of dyadic numbers.
[[nodiscard]] Exactness exact_at_cubes(mpfr_srcptr x);

} // namespace tmd
