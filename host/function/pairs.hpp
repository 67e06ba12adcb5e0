// Functions of two variables, or of a number and an integer: values by Arb, exact values by theorem, special values as
// C23 has them (annex F). Operands come in the order in which C takes them: `y, x` for atan2.
#pragma once

#include "function/function.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tmd::function {

struct PairFunction {
  std::string name; // C's
  std::string description;
  std::array<std::string_view, 2> operands; // their names

  // What C23 prescribes where an operand is a zero, an infinity or not a number, or where f has no real value: a zero
  // or an infinity with its sign, not a number, or a number that is the same for all such operands. Nothing where f has
  // a value to be computed.
  std::optional<number::Mpfr> (*special)(mpfr_srcptr first, mpfr_srcptr second);
  // An enclosure of f, with about `precision` bits; a single number where f is a dyadic number of moderate length. To
  // be asked only where there is no special value.
  ValueEnclosure (*value)(mpfr_srcptr first, mpfr_srcptr second, long precision);
  // Whether f is a dyadic number; never `unknown`.
  Exactness (*exactness)(mpfr_srcptr first, mpfr_srcptr second);
  std::string exact_cases; // in words that follow "exact where"
  std::string theorem;
  std::string_view with_one_fixed; // functions of one variable that it becomes, in words
  bool takes_integer = false;      // the second operand is an integer of 64 bits, not a number of the format
};

// pow, powr, hypot, atan2, atan2pi, pown, rootn.
[[nodiscard]] std::span<const PairFunction> pair_functions();
// Null where there is none of that name.
[[nodiscard]] const PairFunction* find_pair_function(std::string_view name);

// f at these operands, at which it has no special value, as a function whose argument does not matter: for what asks
// for a value of one argument, such as Confirmation. It has no series.
[[nodiscard]] Function at_operands(const PairFunction& function, mpfr_srcptr first, mpfr_srcptr second);

} // namespace tmd::function
