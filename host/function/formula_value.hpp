// The values of an expression: intervals that hold them, and rational numbers where every operation has one.
#pragma once

#include "function/formula.hpp"

#include <utility>

namespace tmd::function {

// An enclosure of the expression's value at x. Where the value is rational by rational operations it is the number
// itself, rounded to either side; elsewhere the operations are done on intervals, each end rounded outwards. A function
// of an interval [a, b] lies in f(a) + f′([a, b])·[0, b − a], by the mean value theorem, with f(a) from MPFR; f′ is
// enclosed by the series of Arb. So Arb has a part in what confirms, but only in a term that is smaller than f(a) by as
// many bits as are computed with.
[[nodiscard]] ValueEnclosure value_of(const Formula& formula, mpfr_srcptr x, long precision);

// A theorem where the value is rational by rational operations and by functions at their exact cases: such a number is
// dyadic or not. Of all others it is unknown.
[[nodiscard]] Exactness exactness_of(const Formula& formula, mpfr_srcptr x);

// Two numbers that every value lies strictly between; infinite where none is known. So 1/(1+exp(-x)) has 0 and 1.
[[nodiscard]] std::pair<double, double> limits_of(const Formula& formula);

} // namespace tmd::function
