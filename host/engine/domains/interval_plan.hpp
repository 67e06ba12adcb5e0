// The plan of an interval, and what plans are made from: options, costs, and what the tests have left so far.
#pragma once

#include "engine/domains/hierarchical.hpp"
#include "polynomial/ledger.hpp"
#include "engine/wide/polynomial.hpp"

#include "device/variant.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace tmd {

// How the arguments of an interval are searched.
enum class Method {
  wide,       // the wide test on groups, then single candidates
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
  double interval = 1e5;     // planning an interval, and its launches
  double wide_group = 1.5;   // the wide test: beginning with a group,
  double wide_line = 0.1;    // each of its lines,
  double wide_candidate = 3; // each of its candidates,
  double wide_part = 20;     // each part of a group that it refuses
};

// Survivors of phase 1 as seen against those expected, by test: corrects the planner as the search goes on (seed 003
// section 6.3). Shared by the threads that plan and those that search. Results do not depend on it, only speed.
class SurvivorFeedback {
public:
  // Of `tested` domains `survivors` were kept where the plan's survivor_share was `share`.
  void observe(Test test, double share, std::uint64_t tested, std::uint64_t survivors);
  [[nodiscard]] double factor(Test test) const { return factors_[is_lefevre(test)].load(std::memory_order_relaxed); }

private:
  static std::size_t is_lefevre(Test test) { return test == Test::regular ? 0 : 1; }
  std::array<std::atomic<double>, 2> factors_{1.0, 1.0};
};

// Whether the wide test may be used.
enum class WideUse { never, when_cheaper, always };

struct PlanOptions {
  int bits = 44; // K
  std::optional<int>
      domain_bits; // log2 N, and of a group, when it is not the planner's choice; a smaller N is taken if it must
  std::optional<int> split_bits; // log2 κ, likewise
  WideUse wide = WideUse::never;
  int wide_group_bits_offset = 0;     // added to the planner's own choice of log2 of a group
  int wide_denominator_percent = 140; // of 1/√(|c2|·M), up to which the wide test's denominators go
  int domain_bits_offset = 0;         // added to the planner's own choice of log2 N,
  int split_bits_offset = 0;          // and of log2 κ, as far as the tests still filter
  std::optional<Test> test;           // when it is not the planner's choice between regular and lefevre
  bool exhaustive_only = false;       // never use the existence tests
  int length_bits1 = 64;              // of the tests' lengths in phases 1 and 2 (see length_bits())
  int length_bits2 = 64;
  PacketOptions packets;
  CostModel costs;
  std::shared_ptr<SurvivorFeedback> feedback; // may be null
};

// Expected times per argument, relative to one regular test; infinite where a method does not serve.
struct PredictedCosts {
  double wide = std::numeric_limits<double>::infinity();
  double regular = std::numeric_limits<double>::infinity();
  double lefevre = std::numeric_limits<double>::infinity();
  double exhaustive = std::numeric_limits<double>::infinity();
};

// Domains of N = 2^domain_bits arguments; sub-domains of N/κ, κ = 2^split_bits.
inline constexpr int fewest_domain_bits = 3;
inline constexpr int most_domain_bits = 24;
inline constexpr int most_split_bits = 5;
inline constexpr std::uint64_t longest_interval = std::uint64_t(1) << 40; // arguments
inline constexpr std::uint64_t longest_wide_interval = std::uint64_t(1) << 47;

// Of the wide test's float arithmetic; as in cl_kernels/wide/lines.clh, where they are derived from.
inline constexpr double wide_line_rounding = 0x1p-20; // of slope + bend of a group's lines
inline constexpr double wide_root_rounding = 0x1p-19; // of M
// Lines that a group or a part may have at most: they are numbered in float, and rounded to integers below 2^22.
inline constexpr float wide_most_lines = 65536;

// What the wide test needs of an interval (cl_kernels/wide/lines.clh).
struct WideParameters {
  std::shared_ptr<const WidePolynomial> polynomial;
  int part_bits = 0; // log2 of the parts in which a refused group is taken up
  float error = 0;   // bounds of the ledger, rounded up
  float curvature = 0;
  float denominator_limit = 0;
  float most_lines = 0; // of a group that is not refused
};

struct IntervalPlan {
  uint128 first = 0;       // index of the interval's first argument in its piece
  std::uint64_t count = 0; // arguments
  Method method = Method::direct;
  Test test = Test::regular;
  int length_bits1 = 64;
  int length_bits2 = 64;
  double survivor_share = 0; // expected of phase 1, without feedback
  PredictedCosts costs;
  int domain_bits = 0; // of a group for `wide`
  int split_bits = 0;
  int degree = 0; // of the Taylor polynomial
  Ledger ledger;
  std::shared_ptr<const HierarchicalPolynomial> polynomial; // null for `direct` and `wide`
  WideParameters wide;                                      // of `wide` only

  // log2 of the arguments that batches are whole multiples of. Not for `direct`.
  [[nodiscard]] int unit_bits() const { return wide.polynomial ? wide.polynomial->sub_bits() : domain_bits; }
  // Domains, or for `wide` sub-intervals, that hold the interval's arguments; the last may reach beyond.
  [[nodiscard]] std::uint64_t domain_count() const { return ((count - 1) >> unit_bits()) + 1; }
};

} // namespace tmd
