// The error ledger: every approximation between F and what a kernel tests, bounded from above.
#pragma once

#include "number/bound.hpp"

#include <array>
#include <string_view>

namespace tmd {

// All in units of the breakpoint spacing. Terms: README, "The error ledger".
struct Ledger {
  Bound epsilon;      // 2^−K: what is searched
  Bound taylor;       // remainder of the Taylor polynomial over its interval
  Bound coefficients; // its coefficients in fixed point, carried from the interval to a domain
  Bound high;         // terms of degree > 2 inside one domain or group
  Bound truncation1;  // the degree-2 term beside the best centred line of a domain
  Bound truncation2;  // the same in a sub-domain
  Bound fixedpoint1;  // rounding of the line to 64 bits, at all arguments of a domain
  Bound fixedpoint2;  // the same for the lines refined in phase 2
  Bound fixedpoint3;  // rounding in the tabulated differences of phase 3
  Bound subinterval;  // wide test: terms of degree > 4 in one sub-interval
  Bound group;        // wide test: value and slope of a group in fixed point, at all its arguments

  // ε': what phase 3 tests, before its own rounding.
  [[nodiscard]] Bound polynomial() const { return epsilon + taylor + coefficients + high; }
  // The bounds that the three phases test against: ε'' in phases 1 and 2.
  [[nodiscard]] Bound phase1() const { return polynomial() + truncation1 + fixedpoint1; }
  [[nodiscard]] Bound phase2() const { return polynomial() + truncation2 + fixedpoint2; }
  [[nodiscard]] Bound phase3() const { return polynomial() + fixedpoint3; }

  // What the wide test's lines are drawn with, before the rounding of float, and what decides over its candidates.
  [[nodiscard]] Bound wide() const { return epsilon + taylor + high + subinterval + group; }
  [[nodiscard]] Bound wide_check() const { return epsilon + taylor + coefficients + subinterval; }

  struct Term {
    std::string_view name;
    Bound Ledger::*value;
    bool of_domains; // counts in the phases,
    bool of_groups;  // and in the wide test
  };
  static constexpr std::size_t term_count = 11;
  static const std::array<Term, term_count> terms;

  // Term by term the greater.
  void merge(const Ledger& other);
};

// A degree-1 test cannot filter with a bound of 1/4 or more (README, "The error ledger").
[[nodiscard]] bool can_filter(const Bound& bound);

} // namespace tmd
