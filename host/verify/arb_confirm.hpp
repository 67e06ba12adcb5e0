// Judges arguments as confirm.hpp does, but with Arb: it evaluates the functions' series instead of MPFR's functions,
// and compares in integers. Both use the theorems on exact values and the functions' limits.
#pragma once

#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/function.hpp"

#include <string_view>

namespace tmd::verify {

// Arb's judgement of an argument.
struct ArbFinding {
  enum class Kind {
    no_case,   // not closer than 2^−K spacings to a breakpoint, or no real number
    hard,      // closer, at a known distance
    exact,     // the value is the breakpoint
    undecided, // the distance cannot be distinguished from zero, or from 2^−K
    undefined  // the series has no value: f has none, or is not analytic, such as sqrt at 0
  };
  Kind kind = Kind::undecided;
  double bits = 0;                                   // of a hard case: −log2 of the distance in spacings
  Breakpoint breakpoint = Breakpoint::representable; // of the cases
  bool is_least = false;                             // whether `bits` is only a lower bound
};

// "no case", "hard", "exact", "undecided", "undefined".
[[nodiscard]] std::string_view to_string(ArbFinding::Kind kind);

class ArbConfirmation {
public:
  // The function must outlive it. K is 1 or more.
  ArbConfirmation(const function::Function& function, const format::BreakpointGrid& grid, int K);

  // Computes balls of f(x) with more and more bits, in units of a fraction of a spacing, until every number in the ball
  // has the same answer. If they stay next to a breakpoint, the function's limits and exactness(x) decide.
  [[nodiscard]] ArbFinding find(const Argument& argument) const;

private:
  const function::Function* function_;
  format::BreakpointGrid grid_;
  int K_;
};

} // namespace tmd::verify
