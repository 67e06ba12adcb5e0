// The plan of a search: how each piece is cut into intervals and domains, and which test each interval gets.
#pragma once

#include "engine/domains/interval_plan.hpp"

#include <cstdint>
#include <optional>

namespace tmd {

// Plans a piece interval by interval. Every plan's ledger has passed its assertion: filtered only with
// bounds below 1/4, exhaustive likewise for its own bound.
class Planner {
public:
  Planner(const ScaledFunction& function, const PlanOptions& options);

  // The next interval; nothing when the piece is covered.
  [[nodiscard]] std::optional<IntervalPlan> next();
  // The interval that begins at the piece's argument `first`, of `most` arguments or fewer.
  [[nodiscard]] IntervalPlan at(uint128 first, uint128 most);

private:
  [[nodiscard]] std::optional<IntervalPlan> plan_with_polynomial(const TaylorPolynomial& taylor) const;
  [[nodiscard]] std::optional<IntervalPlan> plan_of_wide(uint128 first, uint128 most);

  ScaledFunction function_;
  PlanOptions options_;
  Bound epsilon_;
  uint128 position_ = 0;
  std::uint64_t longest_; // interval length to try next
  std::uint64_t longest_wide_ = longest_wide_interval;
};

} // namespace tmd
