// The plan of a search: how each piece is cut into intervals and domains, and which test each interval gets.
#pragma once

#include "polynomial/hierarchical.hpp"
#include "polynomial/ledger.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace tmd {

// How the arguments of an interval are searched.
enum class Method {
  three_phases, // existence tests on domains and sub-domains, then every argument of what is left
  exhaustive,   // every argument on the device, where the tests would filter nothing
  direct        // every argument in MPFR, where no polynomial serves more than a few
};

[[nodiscard]] std::string_view to_string(Method method);

// What decides between plans: seconds, relative to one existence test on the device at hand.
struct CostModel {
  double polynomial = 0.25;     // generating one domain's coefficients
  double argument = 0.02;       // evaluating one argument in phase 3
  double confirmation = 200;    // confirming one candidate in MPFR
};

struct PlanOptions {
  int bits = 44;                       // K
  std::optional<int> domain_bits;      // log2 N, when it is not the planner's choice; a smaller N is taken if it must
  std::optional<int> split_bits;       // log2 κ, likewise
  bool exhaustive_only = false;        // never use the existence tests
  CostModel costs;
};

// Domains of N = 2^domain_bits arguments; sub-domains of N/κ, κ = 2^split_bits.
inline constexpr int fewest_domain_bits = 3;
inline constexpr int most_domain_bits = 24;
inline constexpr int most_split_bits = 5;

struct IntervalPlan {
  uint128 first = 0;        // index of the interval's first argument in its piece
  std::uint64_t count = 0;  // arguments
  Method method = Method::direct;
  int domain_bits = 0;
  int split_bits = 0;
  int degree = 0;           // of the Taylor polynomial
  Ledger ledger;
  std::shared_ptr<const HierarchicalPolynomial> polynomial; // null for `direct`
};

// Plans a piece interval by interval, in order. Every plan's ledger has passed its assertion: three_phases only with
// bounds below 1/4, exhaustive likewise for its own bound.
class Planner {
public:
  Planner(const ScaledFunction& function, const PlanOptions& options);

  // The next interval; nothing when the piece is covered.
  [[nodiscard]] std::optional<IntervalPlan> next();

private:
  [[nodiscard]] IntervalPlan plan(std::uint64_t count);
  [[nodiscard]] std::optional<IntervalPlan> plan_with_polynomial(const TaylorPolynomial& taylor) const;

  ScaledFunction function_;
  PlanOptions options_;
  Bound epsilon_;
  uint128 position_ = 0;
  std::uint64_t longest_; // interval length to try next
};

} // namespace tmd
