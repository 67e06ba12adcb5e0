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
  std::optional<int> group_bits; // log2 of a group's arguments, when it is not the planner's choice
  int group_bits_offset = 0;     // added to the planner's own choice
  int denominator_percent = 140; // of 1/√(|c2|·M), up to which denominators go
  bool joins_batches = false;    // batches of short intervals go together, and so have one of a few sizes
  device::Costs costs;
};

[[nodiscard]] WideOptions wide_options(const EngineSettings& settings);

inline constexpr std::uint64_t longest_wide_interval = std::uint64_t(1) << 52; // arguments

inline constexpr int fewest_group_bits = 7; // log2 of a group's arguments, 2·M
inline constexpr int most_group_bits = 27;  // M ≤ 2^26: at most 2^21 in a part, where members are floats

// Group and sub-interval sizes, the limit of denominators and that of lines, for the least expected cost.
struct WideChoice {
  int group_bits = 0;
  int sub_bits = 0;
  double denominator_limit = 0;
  double lines = 0;                                      // of a group, expected
  double cost = std::numeric_limits<double>::infinity(); // per argument, relative to one regular existence test
  bool is_common = false;                                // of the few sizes that short intervals have
};

// A cost of infinity where the test does not serve. Expectations are measured ones (doc/theory/wide-test.md); that they
// hold is not needed for a proof. bits: K.
[[nodiscard]] WideChoice choose_wide(const polynomial::TaylorPolynomial& taylor, int bits, const WideOptions& options);
// Groups of that choice's size; what else there is to choose, and the cost, as suits this interval.
[[nodiscard]] WideChoice choose_wide_like(const WideChoice& like, const polynomial::TaylorPolynomial& taylor, int bits,
                                          const WideOptions& options);

// Whether the polynomial's curvature changes so much over the interval that halves of it are better planned apart.
[[nodiscard]] bool bends_unevenly(const polynomial::TaylorPolynomial& taylor);

// Consecutive sub-intervals of one interval.
struct WideSource {
  std::shared_ptr<const WidePolynomial> polynomial; // the interval's
  std::uint64_t first = 0;                          // number of the first
  std::uint64_t count = 0;
};

// What the kernels need to know of an interval (cl_kernels/wide/lines.clh), or of several that are alike.
struct WideParameters {
  int group_bits = 0;    // log2 of a group's arguments, 2·M
  int sub_bits = 0;      // log2 of a sub-interval's arguments
  int part_bits = 0;     // log2 of a group's parts, which may be searched by themselves
  float error = 0;       // bounds of the ledger, rounded up
  float error_alone = 0; // the same for ε next to nothing: 2^−61
  float curvature = 0;
  float denominator_limit = 0;
  float most_lines = 0;                  // of a group that is not refused
  std::optional<float> unfiltered_lines; // of a group, walked without the filter; else what suits the kernels
  std::uint64_t offset = 0;              // the bound of the check, rounded up to multiples of 2^−64
  std::uint64_t epsilon = 0;             // ε in that unit
  double reach = 0;                      // no candidate of the check lies further from a breakpoint, rounded up
  // What the check of the sub-intervals' seams allows for values and slopes, in units of 2^−64.
  std::uint64_t seam_value = 0;
  std::uint64_t seam_slope = 0;

  // Whether groups, sub-intervals and parts are as long, and ε the same.
  [[nodiscard]] bool have_sizes_of(const WideParameters& other) const;
  // Bounds that hold for both, where they have the same sizes: each the greater one. Each filters as before.
  void widen_to(const WideParameters& other);
};

class WideOffer;

class WidePlan : public Plan {
public:
  int least_degree = 0; // of the Taylor polynomials
  int greatest_degree = 0;
  std::vector<WideSource> sources;       // of all sub-intervals, in their order: one for each interval
  WideLedger ledger;                     // the greatest bounds of all intervals
  number::Bound curvature;               // likewise: of a group's c2·M²
  WideChoice choice;                     // of the first
  WideParameters parameters;             // by these
  std::uint64_t batch_sub_intervals = 1; // that a batch may have

  [[nodiscard]] int group_bits() const { return parameters.group_bits; }
  [[nodiscard]] int sub_bits() const { return parameters.sub_bits; }
  // Sub-intervals that hold the plan's arguments; the last may reach beyond.
  [[nodiscard]] std::uint64_t sub_interval_count() const { return ((count - 1) >> sub_bits()) + 1; }

  // Goes on with the plan of the interval that begins where this one's arguments, whole sub-intervals of them, end, so
  // that one launch serves both. Returns false, and nothing has changed, where they are not alike, or what bounds both
  // would not filter.
  [[nodiscard]] bool append(const WidePlan& next);
  // Leaves out the arguments behind the last whole sub-interval. There must be a whole one.
  void keep_whole_sub_intervals();

  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;
  // From the beginning of any sub-interval on.
  [[nodiscard]] std::unique_ptr<Plan> part(std::uint64_t done, std::uint64_t count) const override;
  // The sources of so many of its sub-intervals, from the first on.
  [[nodiscard]] std::vector<WideSource> sources_of(std::uint64_t first_sub_interval, std::uint64_t sub_intervals) const;
};

// The plan of a choice; null where the ledger does not allow it. bits: K.
[[nodiscard]] std::unique_ptr<WidePlan> plan_wide(const polynomial::TaylorPolynomial& taylor, const WideChoice& choice,
                                                  int bits);

// What the groups of a plan are like, by `groups` of them that are tried on the host.
[[nodiscard]] WideExpectation expectation_of(const polynomial::ScaledFunction& function, const WidePlan& plan,
                                             int groups);

// Plans a piece interval by interval.
class WidePlanner : public Planner {
public:
  // bits: K.
  WidePlanner(const polynomial::ScaledFunction& function, int bits, WideOptions options,
              std::uint64_t batch_sub_intervals = 1);
  WidePlanner(const WidePlanner&) = delete;
  WidePlanner& operator=(const WidePlanner&) = delete;

  ~WidePlanner() override;

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;
  // The plan of the interval that begins at `first`, of `most` arguments or fewer; null where the test does not serve.
  [[nodiscard]] std::unique_ptr<WidePlan> plan(uint128 first, uint128 most);

private:
  friend class WideOffer;

  [[nodiscard]] std::optional<polynomial::TaylorPolynomial> taylor_from(uint128 first, uint128 most);
  // most: the arguments from its first on that might be searched.
  [[nodiscard]] std::unique_ptr<WideOffer> offer_of(std::optional<polynomial::TaylorPolynomial> taylor, uint128 most);
  // The offer's plan, and with it of the intervals behind it where these are alike, until all of them together are far
  // more work than what an interval costs by itself.
  [[nodiscard]] std::unique_ptr<WidePlan> joined_plan(const WideOffer& offer);

  polynomial::ScaledFunction function_;
  int bits_;
  WideOptions options_;
  std::uint64_t batch_sub_intervals_;
  std::uint64_t longest_ = longest_wide_interval; // to try next
  std::unique_ptr<WideOffer> ahead_;              // made while a plan was joined, of what follows it
};

} // namespace tmd::engine::wide
