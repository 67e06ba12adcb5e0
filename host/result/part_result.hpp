// What a worker delivers: one part of a search, done.
#pragma once

#include "engine/engine.hpp"
#include "engine/idle.hpp"
#include "engine/plan_report.hpp"
#include "engine/stage.hpp"
#include "verify/confirm.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tmd::result {

// first … first + count − 1 of a field's coordinate.
struct Part {
  std::size_t field = 0; // its number in the search
  uint128 first = 0;
  uint128 count = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

struct PartResult {
  Part part;
  std::vector<Case> found;          // of every kind, in any order
  std::uint64_t exact_unlisted = 0; // exact cases behind the first ones, which are too many to be in it
  std::uint64_t candidates = 0;     // that the device has named
  uint128 direct = 0;               // arguments decided in MPFR alone
  // Of the device since the part before, where launches of several queues share it.
  engine::Stages stages;
  engine::Idle idle;
  std::optional<engine::PlanReport>
      plan;                    // of the interval that begins here, or merged, of several that begin within it
  std::uint64_t intervals = 1; // that the plan is of, where there is one
  engine::Prices prices;       // compared for the first of them
  double seconds = 0;          // elapsed, device and host together; 0 where that says nothing of the worker's speed
  double planning_seconds = 0; // of the host, for plans and coefficients
  // Of these, those for the plan of the interval that begins here, or of several the most that one took: it would have
  // taken as long for fewer arguments. 0: none begins here.
  double fixed_seconds = 0;

  // What was found of another function that the claim serves.
  struct OfFunction {
    const function::Function* function;
    std::vector<Case> found;
    std::uint64_t candidates = 0;
  };
  std::vector<OfFunction> of_others;
};

} // namespace tmd::result
