// The number of hard cases in each binade of a list, compared with what chance predicts.
#pragma once

#include "job/job.hpp"
#include "job/stretch.hpp"
#include "verify/confirm.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tmd::searches {

// The findings among the arguments of a binade that were searched one by one.
struct BinadeTally {
  job::Stretch arguments;
  std::uint64_t cases = 0;     // hard cases
  std::uint64_t midpoints = 0; // hard cases next to a midpoint
  std::uint64_t exact = 0;
  bool is_fair = false; // whether chance predicts the number of cases

  // The expected number of cases: 2·N·2^−K for the N arguments that are not exact, plus those next to an extremum if
  // has_extrema() (7.2 a binade of sin and cos in binary64 with K = 44, beside 512).
  [[nodiscard]] double expected(const job::Job& job) const;
};

// The count of a binade that is a fair sample.
struct BinadeCount {
  job::Stretch arguments;
  std::optional<Breakpoint> breakpoint; // kind of breakpoint; nothing: both kinds
  std::uint64_t cases = 0;
  double expected = 0; // as in the tally, or the share of one of two kinds
  double p = 1;        // the exact two-sided p-value, by a Poisson distribution
};

// The verdict of all counts together.
struct CountVerdict {
  std::vector<BinadeCount> counts; // the least p first
  std::size_t unfair = 0;          // number of binades that are no fair sample

  // Bonferroni's bound on the chance that one of so many counts has a p as small as the least, however the counts
  // depend on each other (sin has the same binades twice). 1 without counts.
  [[nodiscard]] double corrected_p() const;
};

// Whether 1 is a breakpoint at which the job's function has extrema repeatedly, as sin and cos have.
[[nodiscard]] bool has_extrema(const job::Job& job);

// Calls a function for each of some arguments, which need not all be in memory.
using EachArgument = std::function<void(const std::function<void(const Argument&)>&)>;

// searched: ranks that were searched argument by argument. cases: all hard cases of the list among them.
// are_exact_known: whether `exact` holds all exact cases.
//
// A binade is no fair sample if few cases are expected, if f has the cases of its leading term there, if values leave
// the format or repeat, or if slopes vary too little. Cases crowd where the slope of F is rational with a small
// denominator and F is near an integer: where F(i) is n + F″·i²/2 next to it, there are about √(8·2^−K/F″) at once,
// which is √(4/(N·F″)) times the standard deviation √(2·N·2^−K) of the count. N·F″ is how much slopes vary. From 4 on,
// crowds do no harm. If K is large, F is near an integer only for a reason, as √x is at 1, and other crowds are not far
// from there: a binade with an exact case in it or a case beside it is then no fair sample, and for others 2^−14 is
// enough.
[[nodiscard]] std::vector<BinadeTally> tally_binades(const job::Job& job, const job::Coverage& searched,
                                                     const std::vector<Case>& cases, const EachArgument& exact,
                                                     bool are_exact_known);

// The counts of the fair binades, each with its p-value.
[[nodiscard]] CountVerdict count_binades(const job::Job& job, const job::Coverage& searched,
                                         const std::vector<Case>& cases, const EachArgument& exact,
                                         bool are_exact_known);

} // namespace tmd::searches
