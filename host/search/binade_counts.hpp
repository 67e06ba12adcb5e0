// How many hard cases the binades of a list hold, against what chance would have.
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

// What was found among the arguments of a binade that were searched one by one.
struct BinadeTally {
  job::Stretch arguments;
  std::uint64_t cases = 0;     // hard ones
  std::uint64_t midpoints = 0; // of those, next to one
  std::uint64_t exact = 0;
  bool is_fair = false; // whether chance says how many cases there should be

  // 2·N·2^−K of the N arguments that are not exact, and where has_extrema() those next to an extremum (7.2 a binade of
  // sin and cos in binary64 with K = 44, beside 512).
  [[nodiscard]] double expected(const job::Job& job) const;
};

// Of the arguments of a binade that were searched, and are a fair sample.
struct BinadeCount {
  job::Stretch arguments;
  std::optional<Breakpoint> breakpoint; // of which kind; nothing: of both
  std::uint64_t cases = 0;
  double expected = 0; // as the tally has it, or the share of one of two kinds
  double p = 1;        // the exact two-sided p-value, by a Poisson distribution
};

// What the counts say together.
struct CountVerdict {
  std::vector<BinadeCount> counts; // the least p first
  std::size_t unfair = 0;          // binades that say nothing

  // Bonferroni's bound: the chance that one of so many counts has a p as small as the least, however the counts depend
  // on each other (sin has the same binades twice). 1 of none.
  [[nodiscard]] double corrected_p() const;
};

// Whether the job's function has extrema at 1 again and again, as sin and cos, and 1 is a breakpoint.
[[nodiscard]] bool has_extrema(const job::Job& job);

// Calls a function for each of some arguments: there may be more of them than memory is to hold.
using EachArgument = std::function<void(const std::function<void(const Argument&)>&)>;

// searched: ranks that were searched argument by argument. cases: all hard cases of the list there. are_exact_known:
// whether `exact` has all exact cases; else they are not known.
//
// A binade is no fair sample where few cases are expected; where values leave the format or are the same again and
// again; and where slopes vary too little. Cases crowd where the slope of F is rational with a small denominator and F
// is near an integer: where F(i) is n + F″·i²/2 next to it, there are about √(8·2^−K/F″) at once, which is √(4/(N·F″))
// times the deviation √(2·N·2^−K) of the count. N·F″ is how much slopes vary. Where it is 4 or more, crowds do no harm.
// Where K is large F is near an integer for a reason only, as √x is at 1, and other crowds are not far from there: with
// an exact case in the binade or a case beside it, it is no fair sample, and without them 2^−14 is enough.
[[nodiscard]] std::vector<BinadeTally> tally_binades(const job::Job& job, const job::Coverage& searched,
                                                     const std::vector<Case>& cases, const EachArgument& exact,
                                                     bool are_exact_known);

// The fair ones of the same, each with its chance.
[[nodiscard]] CountVerdict count_binades(const job::Job& job, const job::Coverage& searched,
                                         const std::vector<Case>& cases, const EachArgument& exact,
                                         bool are_exact_known);

} // namespace tmd::searches
