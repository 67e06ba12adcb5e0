// The error ledger of the existence tests: every approximation between F and what a kernel tests, bounded from above.
#pragma once

#include "engine/plan_report.hpp"
#include "number/bound.hpp"

#include <vector>

namespace tmd::engine::domains {

// All terms are in units of the breakpoint spacing; doc/theory/method.md explains them.
struct DomainLedger {
  number::Bound epsilon;      // 2^−K
  number::Bound taylor;       // remainder of the Taylor polynomial over its interval
  number::Bound coefficients; // its coefficients in fixed point, carried from the interval to a domain
  number::Bound high;         // terms of degree > 2 inside one domain
  number::Bound truncation1;  // the degree-2 term beside the best centred line of a domain
  number::Bound truncation2;  // that of a sub-domain
  number::Bound fixedpoint1;  // rounding of the line to 64 bits, at all arguments of a domain
  number::Bound fixedpoint2;  // rounding of the lines refined in phase 2
  number::Bound fixedpoint3;  // rounding in the tabulated differences of phase 3

  // ε': the bound of phase 3, before its own rounding.
  [[nodiscard]] number::Bound polynomial() const { return epsilon + taylor + coefficients + high; }
  // The bounds of the three phases: ε'' in phases 1 and 2.
  [[nodiscard]] number::Bound phase1() const { return polynomial() + truncation1 + fixedpoint1; }
  [[nodiscard]] number::Bound phase2() const { return polynomial() + truncation2 + fixedpoint2; }
  [[nodiscard]] number::Bound phase3() const { return polynomial() + fixedpoint3; }

  [[nodiscard]] std::vector<LedgerLine> lines() const {
    return {{"epsilon", epsilon},           {"taylor", taylor},
            {"coefficients", coefficients}, {"high", high},
            {"truncation1", truncation1},   {"truncation2", truncation2},
            {"fixedpoint1", fixedpoint1},   {"fixedpoint2", fixedpoint2},
            {"fixedpoint3", fixedpoint3},   {"phase1", phase1(), true},
            {"phase2", phase2(), true},     {"phase3", phase3(), true}};
  }
};

} // namespace tmd::engine::domains
