#include "engine/planning.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine {

namespace {

// Arguments for MPFR at a time where no engine says how many it would take.
constexpr std::uint64_t few_arguments = 32;
constexpr std::uint64_t most_direct = std::uint64_t(1) << 48;

} // namespace

FieldPlanner::FieldPlanner(std::span<const std::unique_ptr<Engine>> engines, const job::Job& job, const Field& field,
                           bool algorithm_asked, const device::Costs& costs)
    : field_(field), first_serves_(algorithm_asked), interval_cost_(costs[device::shared_cost("interval")]) {
  if (field.is_direct())
    return;
  for (const std::unique_ptr<Engine>& engine : engines)
    if (!field.is_claimed() || field.is_claimed_by(engine->name()))
      if (auto planner = engine->planner(job, field))
        candidates_.push_back({engine.get(), std::move(planner)});
  if (field.is_claimed() && candidates_.empty())
    throw DeviceError(fmt::format("no engine of this device searches what {} has claimed", field.claim()->engine));
}

double FieldPlanner::interval_cost(const Offer& offer) const {
  return offer.interval_share * interval_cost_ / static_cast<double>(offer.count);
}

std::optional<Interval> FieldPlanner::take_kept(uint128 first, uint128 most) {
  if (!kept_ || kept_->first != first)
    return std::nullopt;
  const Interval interval = *std::exchange(kept_, std::nullopt);
  return interval.count <= most ? interval : first_of(interval, static_cast<std::uint64_t>(most));
}

Interval FieldPlanner::first_of(const Interval& interval, std::uint64_t count) {
  const auto part = [&](std::uint64_t first, std::uint64_t part_count) -> std::optional<Interval> {
    Interval result = interval;
    result.first += first;
    result.count = part_count;
    result.plan = interval.plan ? interval.plan->part(first, part_count) : nullptr;
    return result.plan ? std::optional(result) : std::nullopt;
  };
  const auto begin = part(0, count);
  if (!begin)
    return at(interval.first, count);
  kept_ = part(count, interval.count - count);
  return *begin;
}

Interval FieldPlanner::at(uint128 first, uint128 most) {
  if (auto kept = take_kept(first, most))
    return *std::move(kept);
  struct Offered {
    Engine* engine;
    std::unique_ptr<Offer> offer;
    double cost; // per argument, with an interval's own
  };
  std::vector<Offered> offers;
  Interval interval;
  interval.first = first;
  std::uint64_t direct = field_.is_direct() ? most_direct : few_arguments;
  const auto accept = [&](const Offered& offered) {
    interval.plan = offered.offer->plan();
    if (!interval.plan) {
      direct = std::max(direct, offered.offer->count);
      return false;
    }
    interval.engine = offered.engine;
    interval.cost = offered.cost;
    interval.count = interval.plan->count;
    return true;
  };
  // Returns whether the interval is planned.
  const auto ask = [&](const Candidate& candidate) {
    auto offer = candidate.planner->offer(first, most);
    if (!offer)
      return false;
    const double of_interval = interval_cost(*offer);
    for (const Price& price : offer->prices)
      interval.prices.push_back({price.method, price.cost + of_interval});
    const double cost = offer->cost + of_interval;
    if (!std::isfinite(cost)) {
      direct = std::max(direct, offer->count);
      return false;
    }
    offers.push_back({candidate.engine, std::move(offer), cost});
    return first_serves_ && accept(offers.back());
  };
  const auto take_cheapest = [&] {
    std::stable_sort(offers.begin(), offers.end(),
                     [](const Offered& left, const Offered& right) { return left.cost < right.cost; });
    const bool is_taken = !first_serves_ && std::any_of(offers.begin(), offers.end(), accept);
    offers.clear();
    return is_taken;
  };
  std::vector<const Candidate*> dearer; // than what another has offered, whatever they would
  for (const Candidate& candidate : candidates_) {
    const auto is_cheaper = [&](const Offered& offered) { return offered.cost < candidate.planner->least_cost(); };
    if (std::any_of(offers.begin(), offers.end(), is_cheaper))
      dearer.push_back(&candidate);
    else if (ask(candidate))
      return interval;
  }
  if (take_cheapest())
    return interval;
  for (const Candidate* candidate : dearer) // no plan came of what was offered
    if (ask(*candidate))
      return interval;
  if (take_cheapest())
    return interval;
  if (field_.is_claimed())
    throw DeviceError(fmt::format("{} has claimed arguments that it cannot plan", field_.claim()->engine));
  interval.count = static_cast<std::uint64_t>(std::min<uint128>(most, direct));
  return interval;
}

double FieldPlanner::estimate(uint128 first, uint128 most) {
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& candidate : candidates_)
    if (candidate.planner->least_cost() < least)
      if (const auto offer = candidate.planner->offer(first, most))
        least = std::min(least, offer->cost + interval_cost(*offer));
  return least;
}

} // namespace tmd::engine
