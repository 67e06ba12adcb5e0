// Plans for the wide test: sizes of groups and sub-intervals, denominators, ledger.
#pragma once

#include "device/costs.hpp"
#include "engine/engine.hpp"
#include "engine/wide/ledger.hpp"
#include "engine/wide/model.hpp"
#include "engine/wide/polynomial.hpp"
#include "polynomial/scaled_function.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace tmd::engine::wide {

inline constexpr std::array<std::string_view, 1> wide_methods{"wide"};

struct WideOptions {
  std::optional<int> group_bits; // log2 of a group's arguments, unless the planner chooses it
  int group_bits_offset = 0;     // added to the planner's own choice
  int denominator_percent = 140; // limit of denominators, in percent of 1/√(|c2|·M)
  bool joins_batches = false;    // batches of short intervals are joined, and so have one of a few sizes
  device::Costs costs;
};

[[nodiscard]] WideOptions wide_options(const EngineSettings& settings);

inline constexpr std::uint64_t longest_wide_interval = std::uint64_t(1) << 52; // arguments

inline constexpr int fewest_group_bits = 7; // log2 of a group's arguments, 2·M
inline constexpr int most_group_bits = 27;  // M ≤ 2^26: at most 2^21 in a part, where members are floats

// Sizes of groups and sub-intervals, and limits of denominators and lines, with the least expected cost.
struct WideChoice {
  int group_bits = 0;
  int sub_bits = 0;
  double denominator_limit = 0;
  double lines = 0;                                      // expected lines of a group
  double cost = std::numeric_limits<double>::infinity(); // per argument, relative to one regular existence test
  bool is_common = false;                                // one of the few sizes for short intervals
};

// The cost is infinite if the test cannot be used. Expectations come from measurements (doc/theory/wide-test.md); no
// proof depends on them.
[[nodiscard]] WideChoice choose_wide(const polynomial::TaylorPolynomial& taylor, int K, const WideOptions& options);
// A choice with groups of that size; the rest, and the cost, are chosen for this interval.
[[nodiscard]] WideChoice choose_wide_like(const WideChoice& like, const polynomial::TaylorPolynomial& taylor, int K,
                                          const WideOptions& options);

// Whether the polynomial's curvature changes so much over the interval that its halves are better planned separately.
[[nodiscard]] bool bends_unevenly(const polynomial::TaylorPolynomial& taylor);

// Consecutive sub-intervals of one interval.
struct WideSource {
  std::shared_ptr<const WidePolynomial> polynomial; // the interval's polynomial
  std::uint64_t first = 0;                          // number of the first sub-interval
  std::uint64_t count = 0;
};

// The kernels' parameters for an interval (cl_kernels/wide/lines.clh), or for several similar ones.
struct WideParameters {
  int group_bits = 0;    // log2 of a group's arguments, 2·M
  int sub_bits = 0;      // log2 of a sub-interval's arguments
  int part_bits = 0;     // log2 of a group's parts, which may be searched by themselves
  float error = 0;       // bounds of the ledger, rounded up
  float error_alone = 0; // the bound for a tiny ε, 2^−61
  float curvature = 0;
  float denominator_limit = 0;
  float most_lines = 0;                  // most lines of a group that is not refused
  std::optional<float> unfiltered_lines; // walked without the filter; default: what suits the kernels
  std::uint64_t offset = 0;              // the bound of the check, rounded up to multiples of 2^−64
  std::uint64_t epsilon = 0;             // ε in units of 2^−64
  double max_distance = 0;               // largest distance of a candidate after the check, rounded up
  // Bounds of the check of the sub-intervals' seams, for values and slopes, in units of 2^−64.
  std::uint64_t seam_value = 0;
  std::uint64_t seam_slope = 0;

  // Whether groups, sub-intervals and parts have the same lengths, and ε is the same.
  [[nodiscard]] bool have_sizes_of(const WideParameters& other) const;
  // Takes the greater of each bound, for parameters of the same sizes. Each still filters.
  void widen_to(const WideParameters& other);
};

class WideOffer;

class WidePlan : public Plan {
public:
  int least_degree = 0; // of the Taylor polynomials
  int greatest_degree = 0;
  std::vector<WideSource> sources;       // of all sub-intervals, in their order: one for each interval
  WideLedger ledger;                     // the greatest bounds of all intervals
  number::Bound curvature;               // the greatest of a group's c2·M²
  WideChoice choice;                     // the first interval's
  WideParameters parameters;             // for these bounds
  std::uint64_t batch_sub_intervals = 1; // most sub-intervals of a batch

  [[nodiscard]] int group_bits() const { return parameters.group_bits; }
  [[nodiscard]] int sub_bits() const { return parameters.sub_bits; }
  // The number of sub-intervals that contain the plan's arguments; the last may reach beyond.
  [[nodiscard]] std::uint64_t sub_interval_count() const { return ((count - 1) >> sub_bits()) + 1; }

  // Continues with the plan of the next interval, which begins where this one's whole sub-intervals end, so that one
  // launch serves both. Returns false, changing nothing, if they are not similar, or the greater bounds would not
  // filter.
  [[nodiscard]] bool append(const WidePlan& next);
  // Leaves out the arguments behind the last whole sub-interval, of which there must be one.
  void keep_whole_sub_intervals();

  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;
  // A part may begin at any sub-interval.
  [[nodiscard]] std::unique_ptr<Plan> part(std::uint64_t done, std::uint64_t count) const override;
  // The sources of `sub_intervals` of its sub-intervals, from the first one given.
  [[nodiscard]] std::vector<WideSource> sources_of(std::uint64_t first_sub_interval, std::uint64_t sub_intervals) const;
};

// The plan of a choice; null if the ledger does not allow it.
[[nodiscard]] std::unique_ptr<WidePlan> plan_wide(const polynomial::TaylorPolynomial& taylor, const WideChoice& choice,
                                                  int K);

// The expected work of a plan's groups, from `groups` of them that are tried on the host.
[[nodiscard]] WideExpectation expectation_of(const polynomial::ScaledFunction& function, const WidePlan& plan,
                                             int groups);

// Plans a piece interval by interval.
class WidePlanner : public Planner {
public:
  //
  WidePlanner(const polynomial::ScaledFunction& function, int K, WideOptions options,
              std::uint64_t batch_sub_intervals = 1);
  WidePlanner(const WidePlanner&) = delete;
  WidePlanner& operator=(const WidePlanner&) = delete;

  ~WidePlanner() override;

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;
  // The plan of the interval that begins at `first`, with at most `most` arguments; null if the test cannot be used.
  [[nodiscard]] std::unique_ptr<WidePlan> plan(uint128 first, uint128 most);

private:
  friend class WideOffer;

  [[nodiscard]] std::optional<polynomial::TaylorPolynomial> taylor_from(uint128 first, uint128 most);
  // most: the arguments from its first on that might be searched.
  [[nodiscard]] std::unique_ptr<WideOffer> offer_of(std::optional<polynomial::TaylorPolynomial> taylor, uint128 most);
  // The offer's plan, joined with those of the following intervals if they are similar, until all together are far more
  // work than an interval's fixed cost.
  [[nodiscard]] std::unique_ptr<WidePlan> joined_plan(const WideOffer& offer);

  polynomial::ScaledFunction function_;
  int K_;
  WideOptions options_;
  std::uint64_t batch_sub_intervals_;
  std::uint64_t longest_ = longest_wide_interval; // length of the next interval to try
  bool is_little_work_ = false;                   // whether the last interval was less work than its fixed cost
  std::unique_ptr<WideOffer> ahead_;              // the offer behind a joined plan, made while that was joined
};

} // namespace tmd::engine::wide
