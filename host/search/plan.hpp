// The plan of a search: how each piece is cut into intervals and domains, and which test each interval gets.
#pragma once

#include "polynomial/hierarchical.hpp"
#include "polynomial/ledger.hpp"

#include "search/variant.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace tmd {

// How the arguments of an interval are searched.
enum class Method {
  filtered,   // existence tests on domains and sub-domains, then every argument of what is left
  exhaustive, // every argument on the device, where the tests would filter nothing
  direct      // every argument in MPFR, where no polynomial serves more than a few
};

[[nodiscard]] std::string_view to_string(Method method);

// What decides between plans: times relative to one regular existence test on the device at hand.
struct CostModel {
  double polynomial = 0.25;  // generating one domain's coefficients
  double lefevre = 1.5;      // one Lefèvre test, in any form
  double argument = 0.01;    // evaluating one argument in phase 3
  double confirmation = 200; // confirming one candidate in MPFR
};

// Survivors of phase 1 as seen against those expected, by test: corrects the planner as the search goes on (seed 003
// section 6.3). Shared by the thread that plans and the one that searches. Results do not depend on it, only speed.
class SurvivorFeedback {
public:
  // Of `tested` domains `survivors` were kept where the plan expected `share` of them.
  void observe(Test test, double share, std::uint64_t tested, std::uint64_t survivors);
  [[nodiscard]] double factor(Test test) const { return factors_[is_lefevre(test)].load(std::memory_order_relaxed); }

private:
  static std::size_t is_lefevre(Test test) { return test == Test::regular ? 0 : 1; }
  std::array<std::atomic<double>, 2> factors_{1.0, 1.0};
};

struct PlanOptions {
  int bits = 44;                  // K
  std::optional<int> domain_bits; // log2 N, when it is not the planner's choice; a smaller N is taken if it must
  std::optional<int> split_bits;  // log2 κ, likewise
  int domain_bits_offset = 0;     // added to the planner's own choice of log2 N,
  int split_bits_offset = 0;      // and of log2 κ, as far as the tests still filter
  std::optional<Test> test;       // when it is not the planner's choice between regular and lefevre
  bool exhaustive_only = false;   // never use the existence tests
  int length_bits1 = 64;          // of the tests' lengths in phases 1 and 2 (see length_bits())
  int length_bits2 = 64;
  PacketOptions packets;
  CostModel costs;
  std::shared_ptr<SurvivorFeedback> feedback; // may be null
};

// Expected times per argument, relative to one regular test; infinite where a method does not serve.
struct PredictedCosts {
  double regular = std::numeric_limits<double>::infinity();
  double lefevre = std::numeric_limits<double>::infinity();
  double exhaustive = std::numeric_limits<double>::infinity();
};

// Domains of N = 2^domain_bits arguments; sub-domains of N/κ, κ = 2^split_bits.
inline constexpr int fewest_domain_bits = 3;
inline constexpr int most_domain_bits = 24;
inline constexpr int most_split_bits = 5;

struct IntervalPlan {
  uint128 first = 0;       // index of the interval's first argument in its piece
  std::uint64_t count = 0; // arguments
  Method method = Method::direct;
  Test test = Test::regular;
  int length_bits1 = 64;
  int length_bits2 = 64;
  double survivor_share = 0; // expected of phase 1
  PredictedCosts costs;
  int domain_bits = 0;
  int split_bits = 0;
  int degree = 0; // of the Taylor polynomial
  Ledger ledger;
  std::shared_ptr<const HierarchicalPolynomial> polynomial; // null for `direct`

  // Domains that hold the interval's arguments; the last may reach beyond. Not for `direct`.
  [[nodiscard]] std::uint64_t domain_count() const { return ((count - 1) >> domain_bits) + 1; }
};

// Plans a piece interval by interval, in order. Every plan's ledger has passed its assertion: filtered only with
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
