// Recurrences of Taylor coefficients that several families of functions share. All take balls of any width.
#pragma once

#include "number/arb.hpp"

namespace tmd {

// None of the coefficients is finite: where a function is not analytic.
void set_undefined(arb_ptr coefficients, long length);

// f″ = factor·f: from the first two coefficients, of a vector of at least two, the others.
void continue_oscillation(arb_ptr coefficients, arb_srcptr factor, long length, long precision);

// f′ = a + b·f²: from coefficient `known` − 1 ≥ 0 and those before it, the others.
void continue_riccati(arb_ptr coefficients, long known, arb_srcptr a, arb_srcptr b, long length, long precision);

// f′ = g with g = quadratic^(−1/2) and quadratic·g′ = sign·x·g, the quadratic 1 − x², 1 + x² or x² − 1, given by its
// ball: all coefficients but the first. Not finite where the quadratic may be 0 or less.
void integrate_inverse_root(arb_ptr coefficients, arb_srcptr x, arb_srcptr quadratic, long sign, long length,
                            long precision);

// coefficients[first] … coefficients[length − 1] times a ball.
void scale(arb_ptr coefficients, long first, arb_srcptr factor, long length, long precision);

} // namespace tmd
