// The choice between the engines' offers for the arguments at hand.
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
  Engine* engine = nullptr;         // null: MPFR decides every argument
  std::shared_ptr<const Plan> plan; // null without an engine
  double cost = 0;                  // predicted, per argument; 0: not known
  Prices prices;                    // prices that were compared
};

// Plans a field for one device. Takes the cheapest offer, or the first one if an algorithm was asked for.
class FieldPlanner {
public:
  // `engines`, which must outlive it: those that may serve the algorithm, in the registry's order.
  FieldPlanner(std::span<const std::unique_ptr<Engine>> engines, const job::Job& job, const Field& field,
               bool algorithm_asked, const device::Costs& costs);

  // The interval that begins at `first`, with at most `most` arguments. Throws DeviceError if a claim's own engine does
  // not plan it.
  [[nodiscard]] Interval at(uint128 first, uint128 most);
  // The first `count` of such an interval, on its plan if that can be divided; the rest is kept for the next call of
  // at() there.
  [[nodiscard]] Interval first_of(const Interval& interval, std::uint64_t count);
  // The cost per argument of the cheapest offer from there on, before rigorous bounds are computed; infinite if there
  // is none.
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
