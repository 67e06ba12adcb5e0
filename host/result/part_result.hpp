// The result of a part of a search, as a worker delivers it.
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

// The part first … first + count − 1 of a field's coordinate.
struct Part {
  std::size_t field = 0; // number in the search
  uint128 first = 0;
  uint128 count = 0;

  friend bool operator==(const Part&, const Part&) = default;
};

struct PartResult {
  Part part;
  std::vector<Case> found;          // cases of every kind, in any order
  std::uint64_t exact_unlisted = 0; // number of exact cases that are only counted, because there are too many
  std::uint64_t candidates = 0;     // number of candidates from the device
  uint128 direct = 0;               // arguments decided in MPFR alone
  // Stages of the device since the previous part, if several queues share its launches.
  engine::Stages stages;
  engine::Idle idle;
  std::optional<engine::PlanReport>
      plan;                    // of the interval that begins here, or merged from several that begin within it
  std::uint64_t intervals = 1; // number of intervals with that plan, if there is one
  engine::Prices prices;       // as compared for the first interval
  double seconds = 0;          // elapsed, device and host together; 0 if that says nothing about the worker's speed
  double planning_seconds = 0; // host time for plans and coefficients
  // The planning seconds for the interval that begins here, or the greatest of several: they do not depend on the
  // number of arguments. 0 if no interval begins here.
  double fixed_seconds = 0;

  // The findings for another function that the claim serves, or among the arguments of another claim.
  struct OfFunction {
    const function::Function* function;
    std::vector<Case> found;
    std::uint64_t candidates = 0;
    std::optional<std::size_t> claim = {}; // number of that claim (engine::Claim::others)
  };
  std::vector<OfFunction> of_companions;
};

} // namespace tmd::result
