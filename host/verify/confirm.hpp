// Confirmation of candidates in MPFR, by Ziv's method: independent of everything that found them.
#pragma once

#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/catalogue.hpp"

#include <optional>

namespace tmd {

// An argument whose value is closer than 2^−K spacings to a breakpoint, or on it.
struct Case {
  Argument x;
  double bits = 0; // −log2 of the distance, in spacings; infinite for an exact case
  Breakpoint breakpoint = Breakpoint::representable;

  [[nodiscard]] bool is_exact() const;
};

// Hardest first; among equals by argument.
[[nodiscard]] bool is_harder(const Case& left, const Case& right);

class Confirmation {
public:
  // bits: K. Candidates at a distance of 2^−K or more are no cases.
  Confirmation(const Function& function, const BreakpointGrid& grid, int bits);

  // The case that the argument is, if it is one; nothing too where f(x) is not finite. Exact arithmetic throughout.
  // Throws UsageError for values beyond 2^±most_value_exponent; SoundnessError when MPFR and the catalogue disagree on
  // whether f(x) is exact, or when a distance cannot be told from zero with a million bits.
  [[nodiscard]] std::optional<Case> confirm(const Argument& argument) const;

private:
  const Function* function_;
  BreakpointGrid grid_;
  int bits_;
};

} // namespace tmd
