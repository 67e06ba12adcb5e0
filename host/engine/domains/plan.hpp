// Plans for the existence tests: the intervals and domains of a piece, and the test for each interval.
#pragma once

#include "device/costs.hpp"
#include "engine/domains/feedback.hpp"
#include "engine/domains/hierarchical.hpp"
#include "engine/domains/ledger.hpp"
#include "engine/domains/tunables.hpp"
#include "engine/engine.hpp"
#include "polynomial/scaled_function.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace tmd::engine::domains {

// Methods of this engine: the existence tests, and every argument if they filter nothing.
inline constexpr std::array<std::string_view, 5> domain_methods{"regular", "lefevre", "lefevre-plain", "lefevre-swap",
                                                                "exhaustive"};

struct DomainOptions {
  std::optional<int> domain_bits; // log2 N, unless the planner chooses it; a smaller N is taken if necessary
  std::optional<int> split_bits;  // log2 κ, with the same meaning
  int domain_bits_offset = 0;     // added to the planner's own choice of log2 N
  int split_bits_offset = 0;      // added to that of log2 κ, as far as the tests still filter
  std::optional<Test> test;       // unless the planner chooses between regular and lefevre
  bool exhaustive_only = false;   // never use the existence tests
  int length_bits1 = 64;          // bits of the tests' lengths in phases 1 and 2 (see length_bits())
  int length_bits2 = 64;
  PacketOptions packets;
  device::Costs costs;
  bool device_makes_polynomials = false;
  std::shared_ptr<SurvivorFeedback> feedback; // may be null
};

// The options in these settings. Plans of every search need them: the lengths of the tests are part of the ledger.
[[nodiscard]] DomainOptions domain_options(const EngineSettings& settings);

// Limits for batches.
struct DomainLimits {
  std::uint64_t batch_domains = 1; // most domains of a batch
  unsigned host_threads = 1;       // threads that make its coefficients
};

// Domains of N = 2^domain_bits arguments; sub-domains of N/κ, κ = 2^split_bits.
inline constexpr int fewest_domain_bits = 3;
inline constexpr int most_domain_bits = 24;
inline constexpr int most_split_bits = 5;
inline constexpr std::uint64_t longest_interval = std::uint64_t(1) << 40; // arguments

class DomainOffer;

class DomainPlan : public Plan {
public:
  bool exhaustive = false; // evaluate every argument on the device, because the tests would filter nothing
  Test test = Test::regular;
  int length_bits1 = 64;
  int length_bits2 = 64;
  double survivor_share = 0; // expected share in phase 1, without feedback
  int domain_bits = 0;
  int split_bits = 0;
  int degree = 0; // degree of the Taylor polynomial
  DomainLedger ledger;
  std::shared_ptr<const HierarchicalPolynomial> polynomial;
  bool device_makes_polynomials = false;
  DomainLimits limits;

  // Number of domains that contain the interval's arguments; the last may reach beyond.
  [[nodiscard]] std::uint64_t domain_count() const { return ((count - 1) >> domain_bits) + 1; }

  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;
};

// Plans a piece interval by interval. Every plan's ledger has been checked: tests have bounds below 1/4, and so has
// exhaustive evaluation.
class DomainPlanner : public Planner {
public:
  DomainPlanner(const polynomial::ScaledFunction& function, int K, DomainOptions options,
                const DomainLimits& limits = {});

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;
  // The plan of the interval that begins at `first`, with at most `most` arguments; null if no polynomial serves.
  [[nodiscard]] std::unique_ptr<DomainPlan> plan(uint128 first, uint128 most);

private:
  friend class DomainOffer;
  [[nodiscard]] std::unique_ptr<DomainOffer> offer_of(uint128 first, uint128 most);
  [[nodiscard]] std::unique_ptr<DomainPlan> plan_with_polynomial(const polynomial::TaylorPolynomial& taylor) const;

  polynomial::ScaledFunction function_;
  DomainOptions options_;
  DomainLimits limits_;
  number::Bound epsilon_;
  std::uint64_t longest_ = longest_interval; // length of the next interval to try
};

} // namespace tmd::engine::domains
