// Where f lies beside c·x^n, nearer than decides anything: there its cases are the same in every binade, so that those
// of one binade tell all.
#pragma once

#include "job/job.hpp"
#include "job/regimes.hpp"
#include "tmd/case.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tmd::job {

// Binades 2^e ≤ |x| < 2^(e+1), neighbours, of normal numbers, in which f(x) lies beside its companion's value g(x).
struct BesideCompanion {
  Coverage ranks;         // of the range's arguments, of either sign
  RankInterval reference; // the topmost binade of all such, x > 0
  RankInterval lowest;    // the lowest one
  // |f(x)| and |g(x)| scaled by the same power of two, in any two of these binades and at the same significand, are
  // apart by at most 2^−closeness spacings.
  int closeness = 0;
  bool is_monotone = false;      // f(x)/g(x) is, on either side of 0, and it is never 1
  bool has_exact_powers = false; // g of a power of two is one
};

// The binades of a range in which f lies so; the range is the job's, or one that the job is a part of. Returns nothing
// where the function has no companion, the range has fewer such arguments than `fewest` binades, or a binade must be
// expected to have too many cases for a record. All ranges have the same reference.
inline constexpr int fewest_binades = 8; // worth a record
[[nodiscard]] std::optional<BesideCompanion> beside_companion(const Job& job, const Coverage& range,
                                                              int fewest = fewest_binades);

// Whether f(x) lies so near to its companion on a stretch, of however many arguments, that cases are those of the
// companion, give or take few: chance does not say how many there are.
[[nodiscard]] bool has_cases_of_companion(const Job& job, const Stretch& stretch);

// What the reference binade is searched for: with one bit less, all arguments come that are cases in any of the
// binades.
[[nodiscard]] Job reference_job(const Job& job, const BesideCompanion& beside);

// The ranges that have the same cases in every binade, from the cases of the reference job. Where one of these is so
// near to 2^−K that it may be a case in some binades only, is_case is asked of further binades: where f(x)/g(x) is
// monotone, the ranges end below the first one that differs from the lowest. None where a value may be a breakpoint in
// some binade, or nothing is known of one of the cases.
[[nodiscard]] std::vector<RegimeRange> ranges_of_binades(const Job& job, const BesideCompanion& beside,
                                                         std::span<const Case> found,
                                                         const std::function<bool(format::ArgumentSet::Rank)>& is_case);

} // namespace tmd::job
