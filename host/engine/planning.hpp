// Who searches what: the engines' offers for the arguments at hand, and the choice between them.
#pragma once

#include "engine/engine.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tmd::engine {

// Some of a field's coordinate, and how it is searched.
struct Interval {
  uint128 first = 0;
  std::uint64_t count = 0;
  Engine* engine = nullptr;         // null: every argument in MPFR
  std::shared_ptr<const Plan> plan; // likewise
  double cost = 0;                  // predicted, per argument; 0: not known
  Prices prices;                    // that were compared
};

// Plans a field for one device. Takes the cheapest offer, or with an algorithm asked for the first that there is.
class FieldPlanner {
public:
  // `engines`, which must outlive it: those that may serve the algorithm, in the registry's order.
  FieldPlanner(std::span<const std::unique_ptr<Engine>> engines, const job::Job& job, const Field& field,
               bool algorithm_asked, const device::Costs& costs);

  // For what begins at `first`, `most` or less of it. Throws DeviceError where a claim's own engine does not plan it.
  [[nodiscard]] Interval at(uint128 first, uint128 most);
  // The first `count` of such an interval: of its plan, where that can be divided, and the rest is kept for who asks
  // for what begins there.
  [[nodiscard]] Interval first_of(const Interval& interval, std::uint64_t count);
  // The cost per argument of the cheapest offer from there on, before rigorous bounds have been looked at; infinite
  // where there is none.
  [[nodiscard]] double estimate(uint128 first, uint128 most);

private:
  struct Candidate {
    Engine* engine;
    std::unique_ptr<Planner> planner;
  };

  [[nodiscard]] double interval_cost(const Offer& offer) const; // per argument
  // The kept rest of a divided interval, or as much of it as asked for, if it begins at `first`.
  [[nodiscard]] std::optional<Interval> take_kept(uint128 first, uint128 most);

  std::vector<Candidate> candidates_;
  Field field_;
  bool first_serves_;
  double interval_cost_;
  std::optional<Interval> kept_;
};

} // namespace tmd::engine
