// Confirms candidates by Ziv's method. It shares nothing with the search that found them.
#pragma once

#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/function.hpp"
#include "tmd/case.hpp"

#include <optional>

namespace tmd::verify {

// The judgement of a candidate.
struct Judgement {
  std::optional<Case> found;
  double distance = 0; // of f(x) from the nearest breakpoint, in spacings; a lower bound if it is no case
  // For an undecided candidate: whether f(x) was enclosed by two numbers. If not, f(x) or a step of an expression is
  // beyond MPFR's exponents, and MPFR says nothing about it.
  bool is_enclosed = true;
};

class Confirmation {
public:
  // Candidates at a distance of 2^−K or more are no cases. The function must outlive the confirmation.
  Confirmation(const function::Function& function, const format::BreakpointGrid& grid, int K);

  // The case that the argument is; nothing if it is none, or if f(x) is no real number.
  //
  // Asks the function for enclosures of f(x), each with twice the bits of the one before, until one decides. A hard
  // case or "no case" means that every number in the enclosure is one; an exact case means that the enclosure is a
  // single number, the breakpoint. A value next to a breakpoint is hard as well if it is known to be no dyadic number,
  // and if it lies strictly within its enclosure, such as 2^x − 1 at a large integer x. If the function's
  // most_precision bits do not decide, the case is undecided, provided that exactness(x) is unknown.
  //
  // Throws UsageError for values beyond 2^±most_value_exponent. Throws SoundnessError if the value is known exactly and
  // exactness(x) says `inexact`, and if the most bits do not decide though exactness(x) says `inexact` or `exact`.
  // Nothing else is checked: it trusts that f(x) lies in its enclosure, and trusts every exactness(x) that it does not
  // ask for (it asks only for exact values, at the end, and if the enclosure ends on the bound 2^−K) or that says
  // `exact` when an enclosure decides before it has become exact.
  [[nodiscard]] Judgement judge(const Argument& argument) const;
  // The same without the distance.
  [[nodiscard]] std::optional<Case> confirm(const Argument& argument) const { return judge(argument).found; }
  // Whether judge() would throw UsageError.
  [[nodiscard]] bool is_beyond(const Argument& argument) const;

private:
  // The same for an enclosure of |f(x)|.
  [[nodiscard]] bool is_beyond(const function::ValueEnclosure& magnitude) const;
  // Whether f(x) is known to be neither end of its enclosure.
  [[nodiscard]] bool is_no_end(const function::ValueEnclosure& value, mpfr_srcptr x) const;

  const function::Function* function_;
  format::BreakpointGrid grid_;
  int K_;
};

} // namespace tmd::verify
