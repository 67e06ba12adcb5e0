// The error ledger of the existence tests: every approximation between F and what a kernel tests, bounded from above.
#pragma once

#include "engine/plan_report.hpp"
#include "number/bound.hpp"

#include <vector>

namespace tmd {

// All in units of the breakpoint spacing; doc/method.md explains the terms.
struct DomainLedger {
  Bound epsilon;      // 2^−K: what is searched
  Bound taylor;       // remainder of the Taylor polynomial over its interval
  Bound coefficients; // its coefficients in fixed point, carried from the interval to a domain
  Bound high;         // terms of degree > 2 inside one domain
  Bound truncation1;  // the degree-2 term beside the best centred line of a domain
  Bound truncation2;  // the same in a sub-domain
  Bound fixedpoint1;  // rounding of the line to 64 bits, at all arguments of a domain
  Bound fixedpoint2;  // the same for the lines refined in phase 2
  Bound fixedpoint3;  // rounding in the tabulated differences of phase 3

  // ε': what phase 3 tests, before its own rounding.
  [[nodiscard]] Bound polynomial() const { return epsilon + taylor + coefficients + high; }
  // The bounds that the three phases test against: ε'' in phases 1 and 2.
  [[nodiscard]] Bound phase1() const { return polynomial() + truncation1 + fixedpoint1; }
  [[nodiscard]] Bound phase2() const { return polynomial() + truncation2 + fixedpoint2; }
  [[nodiscard]] Bound phase3() const { return polynomial() + fixedpoint3; }

  [[nodiscard]] std::vector<LedgerLine> lines() const {
    return {{"epsilon", epsilon},           {"taylor", taylor},
            {"coefficients", coefficients}, {"high", high},
            {"truncation1", truncation1},   {"truncation2", truncation2},
            {"fixedpoint1", fixedpoint1},   {"fixedpoint2", fixedpoint2},
            {"fixedpoint3", fixedpoint3},   {"phase1", phase1(), true},
            {"phase2", phase2(), true},     {"phase3", phase3(), true}};
  }
};

} // namespace tmd
