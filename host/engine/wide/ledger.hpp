// The error ledger of the wide test; doc/theory/wide-test.md derives every term.
#pragma once

#include "engine/plan_report.hpp"
#include "number/bound.hpp"

#include <vector>

namespace tmd::engine::wide {

// All terms are in units of the breakpoint spacing.
struct WideLedger {
  number::Bound epsilon;      // 2^−K
  number::Bound taylor;       // remainder of the Taylor polynomial over its interval
  number::Bound coefficients; // its coefficients in fixed point, evaluated at an argument
  number::Bound high;         // terms of degree > 2 inside one group
  number::Bound subinterval;  // terms of degree > 4 in one sub-interval
  number::Bound group;        // value and slope of a group in fixed point, at all its arguments

  // The bounds that lines are drawn with, before the rounding of float, and that of the check of candidates.
  [[nodiscard]] number::Bound test() const { return epsilon + taylor + high + subinterval + group; }
  [[nodiscard]] number::Bound check() const { return epsilon + taylor + coefficients + subinterval; }

  // A ledger with the greater of each term.
  [[nodiscard]] WideLedger greatest_of(const WideLedger& other) const {
    return {number::max(epsilon, other.epsilon),           number::max(taylor, other.taylor),
            number::max(coefficients, other.coefficients), number::max(high, other.high),
            number::max(subinterval, other.subinterval),   number::max(group, other.group)};
  }

  [[nodiscard]] std::vector<LedgerLine> lines() const {
    return {{"epsilon", epsilon},   {"taylor", taylor},           {"coefficients", coefficients},
            {"high", high},         {"subinterval", subinterval}, {"group", group},
            {"wide", test(), true}, {"wide_check", check(), true}};
  }
};

} // namespace tmd::engine::wide
