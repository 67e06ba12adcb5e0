// The values of an expression: intervals that contain them, and rational numbers if every operation gives one.
#pragma once

#include "function/formula.hpp"

#include <utility>

namespace tmd::function {

// The most bits for the value of an expression. If the operations are inexact but the result is a breakpoint, as in
// exp(log(x)), every argument needs that many.
inline constexpr long most_expression_precision = 4096;

// An enclosure of the expression's value at x. If every operation gives a rational number, it is the value itself,
// rounded to either side; otherwise the operations are done on intervals, with ends rounded outwards. For a function f
// of an interval [a, b] the mean value theorem gives f(a) + f′([a, b])·[0, b − a], with f(a) from MPFR and f′ enclosed
// by Arb's series. So Arb takes part in the confirmation, but only in a term that is smaller than f(a) by the working
// precision.
[[nodiscard]] ValueEnclosure value_of(const Formula& formula, mpfr_srcptr x, long precision);

// Known by a theorem if rational operations, and functions at their exact cases, give the value: then it is a rational
// number, dyadic or not. Otherwise `unknown`.
[[nodiscard]] Exactness exactness_of(const Formula& formula, mpfr_srcptr x);

// Strict bounds of all values; infinite if none is known. Those of 1/(1+exp(-x)) are 0 and 1.
[[nodiscard]] std::pair<double, double> limits_of(const Formula& formula);

} // namespace tmd::function
