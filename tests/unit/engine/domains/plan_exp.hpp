// The first plan for exp on one binade of binary64 arguments.
#pragma once

#include "host/engine/domains/plan.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"

#include <doctest/doctest.h>

namespace tmd::engine::domains {

struct PlannedExp {
  DomainPlan plan;
  Prices prices; // prices on which the choice was based
};

inline PlannedExp planned_exp(const char* from, const char* to, const DomainOptions& options, int bits = 44) {
  const format::ArgumentSet set(find_format("binary64"), 53);
  const function::Function& f = function::find_function("exp");
  const job::Piece piece = job::find_pieces(f, set, set.parse(from, ""), set.parse(to, "")).at(0);
  DomainPlanner planner(polynomial::ScaledFunction(f, {Rounding::all, 53}, piece), bits, options);
  const auto offer = planner.offer(0, piece.count);
  REQUIRE(offer);
  const auto plan = offer->plan();
  REQUIRE(plan);
  return {dynamic_cast<const DomainPlan&>(*plan), offer->prices};
}

inline DomainPlan plan_exp(const char* from, const char* to, const DomainOptions& options, int bits = 44) {
  return planned_exp(from, to, options, bits).plan;
}

} // namespace tmd::engine::domains
