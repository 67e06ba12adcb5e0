// What a user writes for a function, as a list of operations: the parser of expressions.
#pragma once

#include "function/function.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::function {

// Its operands are the results of operations before it, given by their places in the list.
struct Operation {
  enum class Kind { argument, number, pi, e, negate, add, subtract, multiply, divide, power, apply };

  Kind kind = Kind::argument;
  std::size_t left = 0;               // the only operand of negate, power and apply
  std::size_t right = 0;              // the second one of add, subtract, multiply and divide
  long exponent = 0;                  // of power
  const Function* function = nullptr; // of apply; one of the catalogue, or softplus()
  std::string text;                   // of a number, as written
  number::Integer numerator;          // of a number; its value is numerator/denominator, exactly
  number::Integer denominator;
};

// An expression of one variable. The result of the last operation is its value. What is written twice is done once;
// log(1 + exp(…)) is one operation, softplus().
struct Formula {
  std::string text; // as written, without blanks
  std::vector<Operation> operations;
};

// Whether a text has the form of a function's name: letters, digits and underscores, possibly a colon and an integer.
// The variable and the constants have not.
[[nodiscard]] bool is_function_name(std::string_view text);

// Parses
//
//   sum      = product { ("+" | "-") product }
//   product  = factor { ("*" | "/") factor }
//   factor   = { "+" | "-" } power
//   power    = operand [ "^" ( integer | "(" integer ")" ) ]
//   operand  = number | "x" | "pi" | "e" | function "(" sum ")" | "(" sum ")"
//
// where an integer may have a sign, a number is a decimal or a C hex float, and a function one of the catalogue. Throws
// UsageError, naming the column, for anything else; so it does where there is no x, and where a limit on length, depth
// or exponents is passed.
[[nodiscard]] Formula parse_formula(std::string_view text);

} // namespace tmd::function
