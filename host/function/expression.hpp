// Functions that users write as expressions.
#pragma once

#include "function/function.hpp"

#include <memory>
#include <string_view>

namespace tmd::function {

// The function that an expression describes; its name is the text without blanks. Its domain is given as every x; where
// it has no value, the series are not finite and the values NaN.
//
// series: the operations on truncated power series in Arb, at the ball's midpoint and over the whole ball, combined by
// a Taylor form; the precision is raised where operations cancel.
//
// value, exactness, greater_than and less_than: function/formula_value.hpp. Where it is unknown whether a value is
// dyadic the case can stay undecided.
//
// Throws UsageError for what is no expression (parse_formula()).
[[nodiscard]] Function make_expression(std::string_view text);

// A function of the catalogue by its name, or else that of an expression. Throws UsageError for any other text.
[[nodiscard]] std::shared_ptr<const Function> function_of(std::string_view text);

} // namespace tmd::function
