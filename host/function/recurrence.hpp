// Recurrences for Taylor coefficients that several families of functions share. All accept balls of any width.
#pragma once

#include "function/function.hpp"

namespace tmd::function {

// Makes all coefficients not finite: the function is not analytic there.
void set_undefined(arb_ptr coefficients, long length);

// f″ = sign·factor²·f, sign 1 or −1, from f and f′/factor.
void set_oscillation(arb_ptr coefficients, arb_srcptr value, arb_srcptr derivative, arb_srcptr factor, long sign,
                     long length, long precision);

// f′ = a + b·f²: from coefficient `known` − 1 ≥ 0 and those before it, the others.
void continue_riccati(arb_ptr coefficients, long known, arb_srcptr a, arb_srcptr b, long length, long precision);

// f′ = g with g = quadratic^(−1/2) and quadratic·g′ = sign·x·g, the quadratic 1 − x², 1 + x² or x² − 1, given by its
// ball: all coefficients but the first. Not finite where the quadratic may be 0 or less.
void integrate_inverse_root(arb_ptr coefficients, arb_srcptr x, arb_srcptr quadratic, long sign, long length,
                            long precision);

// Sets a constant.

// Function::series of f over a constant.
[[nodiscard]] Series series_over(Series series, Constant constant);

// coefficients[first] … coefficients[length − 1] times a ball.
void scale(arb_ptr coefficients, long first, arb_srcptr factor, long length, long precision);

} // namespace tmd::function
