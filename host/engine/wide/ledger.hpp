// The error ledger of the wide test; doc/wide-test.md derives every term.
#pragma once

#include "engine/plan_report.hpp"
#include "number/bound.hpp"

#include <vector>

namespace tmd {

// All in units of the breakpoint spacing.
struct WideLedger {
  Bound epsilon;      // 2^−K: what is searched
  Bound taylor;       // remainder of the Taylor polynomial over its interval
  Bound coefficients; // its coefficients in fixed point, evaluated at an argument
  Bound high;         // terms of degree > 2 inside one group
  Bound subinterval;  // terms of degree > 4 in one sub-interval
  Bound group;        // value and slope of a group in fixed point, at all its arguments

  // What the lines are drawn with, before the rounding of float, and what decides over candidates.
  [[nodiscard]] Bound test() const { return epsilon + taylor + high + subinterval + group; }
  [[nodiscard]] Bound check() const { return epsilon + taylor + coefficients + subinterval; }

  // The greater of each term.
  [[nodiscard]] WideLedger greatest_of(const WideLedger& other) const {
    return {max(epsilon, other.epsilon), max(taylor, other.taylor),           max(coefficients, other.coefficients),
            max(high, other.high),       max(subinterval, other.subinterval), max(group, other.group)};
  }

  [[nodiscard]] std::vector<LedgerLine> lines() const {
    return {{"epsilon", epsilon},   {"taylor", taylor},           {"coefficients", coefficients},
            {"high", high},         {"subinterval", subinterval}, {"group", group},
            {"wide", test(), true}, {"wide_check", check(), true}};
  }
};

} // namespace tmd
