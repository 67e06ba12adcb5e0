// Functions of two variables, or of a number and an integer: values by Arb, exact values by theorems, special values by
// C23 (annex F). Operands are in C's order: `y, x` for atan2.
#pragma once

#include "function/function.hpp"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tmd::function {

struct PairFunction {
  std::string name; // C's name
  std::string description;
  std::array<std::string_view, 2> operands; // names of the operands

  // The value that C23 prescribes if an operand is a zero, an infinity or NaN, or if f has no real value: a zero or an
  // infinity with its sign, NaN, or a number that is the same for all such operands. Nothing if f has a value to be
  // computed.
  std::optional<number::Mpfr> (*special)(mpfr_srcptr first, mpfr_srcptr second) = nullptr;
  // An enclosure of f with about `precision` bits; a single number if f is a dyadic number of moderate length. Requires
  // operands without a special value.
  std::function<ValueEnclosure(mpfr_srcptr first, mpfr_srcptr second, long precision)> value;
  // Whether f is a dyadic number; `unknown` for expressions alone.
  std::function<Exactness(mpfr_srcptr first, mpfr_srcptr second)> exactness;
  std::string exact_cases; // in words that follow "exact where"
  std::string theorem;
  std::string_view with_one_fixed;            // the functions of one variable that it becomes, in words
  bool takes_integer = false;                 // whether the second operand is a 64-bit integer instead of a number
  long most_precision = most_value_precision; // as Function has it
};

// pow, powr, hypot, atan2, atan2pi, pown, compoundn, rootn.
[[nodiscard]] std::span<const PairFunction> pair_functions();
// The function of that name, or of its expression_of(), with any blanks: x^y is pow. Null if there is none.
[[nodiscard]] const PairFunction* find_pair_function(std::string_view name);
// pow, powr and hypot as an expression of x and y; empty for others.
[[nodiscard]] std::string_view expression_of(const PairFunction& function);

// f at these operands, which must have no special value, as a function that ignores its argument: for users of
// functions of one variable, such as Confirmation. It has no series.
[[nodiscard]] Function at_operands(const PairFunction& function, mpfr_srcptr first, mpfr_srcptr second);

} // namespace tmd::function
