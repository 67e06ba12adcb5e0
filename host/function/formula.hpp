// Parses expressions into lists of operations.
#pragma once

#include "function/function.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::function {

// An operation; its operands are results of earlier operations, given by their places in the list.
struct Operation {
  enum class Kind { argument, second, number, pi, e, negate, add, subtract, multiply, divide, power, apply };

  Kind kind = Kind::argument;         // argument: x; second: y, of an expression of two variables
  std::size_t left = 0;               // the only operand of negate, power and apply
  std::size_t right = 0;              // the second operand of add, subtract, multiply and divide
  long exponent = 0;                  // for power
  const Function* function = nullptr; // for apply: a function of the catalogue, or softplus()
  std::string text;                   // for a number, as written
  number::Integer numerator;          // for a number; its value is numerator/denominator, exactly
  number::Integer denominator;
};

// An expression of one variable; the last operation gives its value. Repeated terms occur once, and log(1 + exp(…)) is
// the single operation softplus().
struct Formula {
  std::string text; // as written, without blanks
  std::vector<Operation> operations;
};

// Whether a text has the form of a function's name: letters, digits and underscores, perhaps a colon and an integer.
// Names of the variable and of constants do not count.
[[nodiscard]] bool is_function_name(std::string_view text);

// Parses
//
//   sum      = product { ("+" | "-") product }
//   product  = factor { ("*" | "/") factor }
//   factor   = { "+" | "-" } power
//   power    = operand [ "^" ( integer | "(" integer ")" ) ]
//   operand  = number | "x" | "pi" | "e" | function "(" sum ")" | "(" sum ")"
//
// where an integer may have a sign, a number is a decimal or a C hex float, and a function is one of the catalogue.
// Throws UsageError, naming the column, for any other text, for one without x, and if a limit on length, depth or
// exponents is exceeded.
[[nodiscard]] Formula parse_formula(std::string_view text);

// Parses an expression of x and y, which must both occur. An exponent may also be a variable or in parentheses: f^(g)
// is exp(g*log(f)), unless g is an integer.
[[nodiscard]] Formula parse_pair_formula(std::string_view text);

} // namespace tmd::function
