#include "search/plan.hpp"

#include "error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tmd {

namespace {

constexpr int longest_interval_bits = 40;
constexpr int most_domains_bits = 26; // in an interval: indices of sub-domains have 32 bits
constexpr std::uint64_t shortest_interval = 32;
constexpr int max_degree = 12;
constexpr long fraction_bits = 448; // of the Taylor coefficients; the ledger tells if it is too few
// The Taylor remainder is kept this far below ε, so that it costs no survivors.
constexpr long taylor_margin_bits = 8;
// Multiples of a that an existence test places, over N: Khinchin's constant + 1 (seed 003 section 4.3.1).
constexpr double placed_points = 3.7;

struct Choice {
  Method method = Method::direct;
  int domain_bits = 0;
  int split_bits = 0;
  double cost = std::numeric_limits<double>::infinity(); // per argument
};

// What the choice of N and κ depends on, as plain numbers: a choice needs no proof, the ledger of the chosen does.
struct Shape {
  double polynomial_error; // ε + taylor
  double curvature;        // |second difference|
  double third_difference;
  const CostModel* costs;

  [[nodiscard]] double error(int domain_bits) const {
    return polynomial_error + third_difference / 6 * std::exp2(3 * domain_bits) + std::exp2(domain_bits - 64);
  }
  // Share of the tests that answer "maybe".
  [[nodiscard]] double survivors(double error, int bits) const {
    const double bound = error + curvature * std::exp2(2 * bits - 4);
    return bound < 0.25 ? std::min(1.0, placed_points * std::exp2(bits + 1) * bound) : 1.0;
  }
  [[nodiscard]] double cost(int domain_bits, int split_bits) const {
    const double bound = error(domain_bits);
    const int sub_bits = domain_bits - split_bits;
    const double phase2 = survivors(bound, domain_bits) * std::exp2(split_bits);
    const double phase3 = phase2 * survivors(bound, sub_bits) * std::exp2(sub_bits);
    return (costs->polynomial + 1 + phase2 + phase3 * costs->argument) * std::exp2(-domain_bits) +
           2 * bound * costs->confirmation;
  }
  [[nodiscard]] double exhaustive_cost(int domain_bits) const {
    const double bound = error(domain_bits);
    return bound < 0.25 && curvature < 0.25 ? costs->polynomial * std::exp2(-domain_bits) + costs->argument +
                                                  2 * bound * costs->confirmation
                                            : std::numeric_limits<double>::infinity();
  }
};

Choice choose(const Shape& shape, const PlanOptions& options, std::uint64_t count) {
  Choice best;
  best.cost = shape.costs->confirmation / 2; // direct
  const auto consider = [&](Method method, int domain_bits, int split_bits, double cost) {
    if (cost < best.cost)
      best = {method, domain_bits, split_bits, cost};
  };
  const int longest = std::clamp(bit_length(count - 1), fewest_domain_bits, most_domain_bits);
  const int most = std::min(options.domain_bits.value_or(most_domain_bits), longest);
  const int fewest = options.domain_bits ? most : fewest_domain_bits;
  for (int domain_bits = most; domain_bits >= fewest_domain_bits; --domain_bits) {
    if (domain_bits < fewest && best.method != Method::direct)
      break; // a smaller N than asked for only when the one asked for does not serve
    consider(Method::exhaustive, domain_bits, 0, shape.exhaustive_cost(domain_bits));
    if (options.exhaustive_only || !(shape.error(domain_bits) + shape.curvature * std::exp2(2 * domain_bits - 4) < 0.25))
      continue;
    for (int split_bits = 1; split_bits <= std::min(most_split_bits, domain_bits - 1); ++split_bits)
      if (!options.split_bits || split_bits == std::min(*options.split_bits, domain_bits - 1))
        consider(Method::three_phases, domain_bits, split_bits, shape.cost(domain_bits, split_bits));
  }
  return best;
}

Ledger make_ledger(const Bound& epsilon, const TaylorPolynomial& taylor, const HierarchicalPolynomial& polynomial,
                   int domain_bits, int split_bits) {
  const int sub_bits = domain_bits - split_bits;
  const Bound rounding = Bound::power_of_two(domain_bits - 65) + Bound::power_of_two(-65);
  const Bound curvature_unit = Bound::power_of_two(-64 - static_cast<long>(polynomial.scale()));
  Ledger ledger;
  ledger.epsilon = epsilon;
  ledger.taylor = taylor.remainder;
  ledger.coefficients = polynomial.coefficient_error();
  ledger.high = polynomial.high();
  ledger.truncation1 = polynomial.curvature().scaled(2L * domain_bits - 4);
  ledger.truncation2 = polynomial.curvature().scaled(2L * sub_bits - 4);
  ledger.fixedpoint1 = rounding;
  // Rounding down of the refined line and slope, and of the curvature that refines them (refinement.clh).
  ledger.fixedpoint2 = rounding + Bound::power_of_two(-64) + Bound::power_of_two(sub_bits - 64) +
                       curvature_unit * (Bound::power_of_two(2L * domain_bits - 3) +
                                         Bound::power_of_two(domain_bits + sub_bits - 1));
  // Rounding down at each addition of a difference; a run is a sub-domain at most.
  ledger.fixedpoint3 = rounding + Bound::power_of_two(-64) + Bound::power_of_two(sub_bits - 64) +
                       curvature_unit.scaled(2L * domain_bits - 1);
  return ledger;
}

} // namespace

std::string_view to_string(Method method) {
  switch (method) {
  case Method::three_phases:
    return "three phases";
  case Method::exhaustive:
    return "exhaustive";
  case Method::direct:
    break;
  }
  return "direct";
}

Planner::Planner(const ScaledFunction& function, const PlanOptions& options)
    : function_(function), options_(options), epsilon_(Bound::power_of_two(-options.bits)),
      longest_(std::uint64_t(1) << longest_interval_bits) {}

std::optional<IntervalPlan> Planner::next() {
  const uint128 left = function_.piece().count - position_;
  if (left == 0)
    return std::nullopt;
  IntervalPlan result = plan(static_cast<std::uint64_t>(std::min<uint128>(left, longest_)));
  position_ += result.count;
  return result;
}

// Halves the interval until one Taylor polynomial serves it.
IntervalPlan Planner::plan(std::uint64_t count) {
  for (; count >= shortest_interval / 2; count /= 2) {
    const auto taylor = taylor_polynomial(function_, position_, count, epsilon_.scaled(-taylor_margin_bits), max_degree,
                                          fraction_bits);
    if (!taylor)
      continue;
    // The function may be tamer further on.
    longest_ = std::min(2 * count, std::uint64_t(1) << longest_interval_bits);
    if (auto result = plan_with_polynomial(*taylor))
      return *result;
    break;
  }
  IntervalPlan direct;
  direct.first = position_;
  direct.count = static_cast<std::uint64_t>(
      std::min<uint128>(function_.piece().count - position_, std::max(count, shortest_interval)));
  longest_ = std::max(longest_ / 2, 4 * shortest_interval);
  return direct;
}

std::optional<IntervalPlan> Planner::plan_with_polynomial(const TaylorPolynomial& taylor) const {
  const Bound reach(taylor.count / 2 + 1);
  const Shape shape{(epsilon_ + taylor.remainder).value(), taylor.derivative_bound(2, reach).value(),
                    taylor.derivative_bound(3, reach).value(), &options_.costs};
  Choice choice = choose(shape, options_, taylor.count);
  // The rigorous bounds may be a little larger than the estimate: then the next smaller N, and so on.
  while (choice.method != Method::direct) {
    IntervalPlan plan;
    plan.first = taylor.first;
    plan.count = std::min(taylor.count, std::uint64_t(1) << (choice.domain_bits + most_domains_bits));
    plan.method = choice.method;
    plan.domain_bits = choice.domain_bits;
    plan.split_bits = choice.split_bits;
    plan.degree = taylor.degree();
    auto polynomial = std::make_shared<const HierarchicalPolynomial>(taylor, choice.domain_bits);
    plan.ledger = make_ledger(epsilon_, taylor, *polynomial, choice.domain_bits, choice.split_bits);
    plan.polynomial = std::move(polynomial);
    // The curvature is known modulo 1 only, but counts in sixteenths (refinement.clh): it must be itself small.
    const bool sound = can_filter(plan.polynomial->curvature()) && can_filter(plan.ledger.phase3()) &&
                       (choice.method == Method::exhaustive ||
                        (can_filter(plan.ledger.phase1()) && can_filter(plan.ledger.phase2())));
    if (sound)
      return plan;
    PlanOptions smaller = options_;
    if (choice.domain_bits == fewest_domain_bits)
      return std::nullopt;
    smaller.domain_bits = choice.domain_bits - 1;
    choice = choose(shape, smaller, taylor.count);
  }
  return std::nullopt;
}

} // namespace tmd
