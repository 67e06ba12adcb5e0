// Functions that users write as expressions.
#pragma once

#include "function/function.hpp"

#include <memory>
#include <string_view>

namespace tmd {

// The function that an expression describes; its name is the text without blanks. Its domain is said to be every x:
// where it has no value, the series are not finite and the values not a number.
//
// series: the operations on truncated power series in Arb, at the ball's midpoint and over the whole ball, combined by
// a Taylor form; the precision is raised where operations cancel.
//
// value: the operations on intervals in MPFR, each end rounded outwards. A function of an interval [a, b] lies in
// f(a) + f′([a, b])·[0, b − a], by the mean value theorem, with f(a) from MPFR; f′ is enclosed by the series of Arb. So
// Arb has a part in what confirms, but only in a term that is smaller than f(a) by as many bits as are computed with.
//
// exactness: a value is exact where every operation is, which is found at some precision; of all others it is unknown
// whether they are dyadic. They can stay undecided.
//
// Throws UsageError for what is no expression (parse_formula()).
[[nodiscard]] Function make_expression(std::string_view text);

// A function of the catalogue by its name, or else the one that an expression describes. Throws UsageError for what is
// neither.
[[nodiscard]] std::shared_ptr<const Function> function_of(std::string_view text);

} // namespace tmd
