// Confirmation of candidates by Ziv's method: it uses nothing of what found them.
#pragma once

#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/function.hpp"
#include "tmd/case.hpp"

#include <optional>

namespace tmd::verify {

// What there is to say of a candidate.
struct Judgement {
  std::optional<Case> found;
  double distance = 0; // of f(x) from the nearest breakpoint, in spacings: no less than that, where it is no case
  // Where it is undecided: whether f(x) was enclosed by two numbers. If not, MPFR says nothing of it: f(x), or a step
  // of an expression, is beyond MPFR's exponents.
  bool is_enclosed = true;
};

class Confirmation {
public:
  // The function must outlive the confirmation. bits: K; candidates at a distance of 2^−K or more are no cases.
  Confirmation(const function::Function& function, const format::BreakpointGrid& grid, int bits);

  // The case that the argument is, if it is one; nothing, too, where f(x) is no real number.
  //
  // The function is asked for enclosures of f(x), each with twice the bits of the one before, until one decides: a hard
  // case and "no case" mean that every number in the enclosure is one, an exact case that the enclosure is a single
  // number, the breakpoint. A value next to a breakpoint is hard as well where it is known to be no dyadic number, and
  // where it lies strictly within its enclosure, as 2^x − 1 at a large integer x. With the function's most_precision
  // bits and still no decision the case is undecided if its exactness(x) is unknown.
  //
  // Throws UsageError for values beyond 2^±most_value_exponent. Throws SoundnessError when the value is known exactly
  // where exactness(x) says `inexact`; and when there is no decision with the most bits though exactness(x) says
  // `inexact` or `exact`. Nothing else is checked: that f(x) lies in its enclosure is taken on trust, and so is an
  // exactness(x) that was not asked (it is only for exact values, at the end, and where the enclosure ends on the bound
  // 2^−K itself), or says `exact` where an enclosure decides before it has become exact.
  [[nodiscard]] Judgement judge(const Argument& argument) const;
  // The same without the distance.
  [[nodiscard]] std::optional<Case> confirm(const Argument& argument) const { return judge(argument).found; }
  // Whether judge() would throw UsageError.
  [[nodiscard]] bool is_beyond(const Argument& argument) const;

private:
  // The magnitude's enclosure.
  [[nodiscard]] bool is_beyond(const function::ValueEnclosure& magnitude) const;
  // Whether f(x) is known to be neither end of its enclosure.
  [[nodiscard]] bool is_no_end(const function::ValueEnclosure& value, mpfr_srcptr x) const;

  const function::Function* function_;
  format::BreakpointGrid grid_;
  int bits_;
};

} // namespace tmd::verify
