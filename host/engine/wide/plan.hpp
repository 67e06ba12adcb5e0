// The plan of the wide test for an interval.
#pragma once

#include "polynomial/ledger.hpp"
#include "engine/wide/polynomial.hpp"
#include "engine/domains/interval_plan.hpp"

#include <optional>

namespace tmd {

// Group and sub-interval sizes, the limit of denominators and that of lines, for the least expected cost.
struct WideChoice {
  int group_bits = 0;
  int sub_bits = 0;
  int fewest_words = 0; // of the interval's coefficients, where it needs no more
  double denominator_limit = 0;
  double lines = 0;                                      // of a group, expected
  double cost = std::numeric_limits<double>::infinity(); // per argument, relative to one regular existence test
};

// A cost of infinity where the test does not serve. Expectations are measured ones (README of this folder); that they
// hold is not needed for a proof.
[[nodiscard]] WideChoice choose_wide(const TaylorPolynomial& taylor, const PlanOptions& options);

// Whether the polynomial's curvature changes so much over the interval that halves of it are better planned apart.
[[nodiscard]] bool bends_unevenly(const TaylorPolynomial& taylor);

// The plan of a choice; nothing where the ledger does not allow it.
[[nodiscard]] std::optional<IntervalPlan> plan_wide(const TaylorPolynomial& taylor, const WideChoice& choice,
                                                    const PlanOptions& options);

} // namespace tmd
