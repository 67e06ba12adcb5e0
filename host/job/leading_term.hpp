// Near 0, where f is so close to its leading term c·x^n that it has the same cases in every binade: those of one binade
// determine all.
#pragma once

#include "job/job.hpp"
#include "job/regime.hpp"
#include "tmd/case.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tmd::job {

// Neighbouring binades 2^e ≤ |x| < 2^(e+1) of normal numbers, in which f(x) is close to the leading term g(x).
struct BesideLeadingTerm {
  Coverage ranks;         // the range's arguments in them, of either sign
  RankInterval reference; // the topmost of these binades, x > 0
  RankInterval lowest;    // the lowest of them, x > 0
  // |f(x)| and |g(x)| scaled by the same power of two, in any two of these binades and at the same significand, are
  // apart by at most 2^−closeness spacings.
  int closeness = 0;
  bool is_monotone = false;      // f(x)/g(x) is monotone on either side of 0, and never 1
  bool has_exact_powers = false; // g of a power of two is a power of two
};

// The binades of a range in which f is close to its leading term. The range is the job's, or one that contains it; all
// ranges have the same reference. Returns nothing if the function has no leading term, if the range has fewer such
// arguments than `fewest_binades` binades have, or if a binade is expected to have too many cases for a record.
inline constexpr int fewest_binades = 8; // fewer are not worth a record
[[nodiscard]] std::optional<BesideLeadingTerm> beside_leading_term(const Job& job, const Coverage& range,
                                                                   int fewest = fewest_binades);

// Whether f is so close to its leading term on a stretch, however long, that almost all cases are those of the leading
// term or of arguments at which it is nearly as close to a breakpoint: chance does not say how many there are.
[[nodiscard]] bool has_cases_of_leading_term(const Job& job, const Stretch& stretch);

// The search of the reference binade, with K − 1: it finds all arguments that are cases in any of the binades.
[[nodiscard]] Job reference_job(const Job& job, const BesideLeadingTerm& beside);

// The ranges that have the same cases in every binade, made from the cases of the reference job. If one of these is so
// near to 2^−K that it may be a case in some binades only, is_case is called for further binades: if f(x)/g(x) is
// monotone, the ranges end below the first binade that differs from the lowest. Returns none if a value may be a
// breakpoint in some binade, or if nothing is known of one of the cases.
[[nodiscard]] std::vector<RegimeRange> ranges_of_binades(const Job& job, const BesideLeadingTerm& beside,
                                                         std::span<const Case> found,
                                                         const std::function<bool(format::ArgumentSet::Rank)>& is_case);

} // namespace tmd::job
