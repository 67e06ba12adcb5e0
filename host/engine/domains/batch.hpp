// Batches of domains, from the host to the device.
#pragma once

#include "engine/domains/plan.hpp"
#include "engine/kernel_layout.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace tmd::engine::domains::layout {
using namespace kernel_layout;
#include "cl_kernels/domains/parameters.clh" // NOLINT: OpenCL C
static_assert(sizeof(layout::domain_parameters) == 56);
} // namespace tmd::engine::domains::layout

namespace tmd::engine::domains {

// Phase 3 evaluates a sub-domain in runs of at most 2^most_run_bits arguments, each by one work-item.
inline constexpr int most_run_bits = 8;

// Parameters of the three kernels for a batch, beside its coefficients.
struct BatchParameters {
  bool exhaustive = false; // phase 3 only, on all domains
  Test test = Test::regular;
  int length_bits1 = 64; // bits of the lengths in phase 1
  int length_bits2 = 64;
  int domain_bits = 0;
  int split_bits = 0;
  unsigned scale = 0;        // scale of the curvatures
  std::uint64_t offset1 = 0; // bounds of the ledger, rounded up to multiples of 2^−64
  std::uint64_t offset2 = 0;
  std::uint64_t offset3 = 0;
  std::uint64_t epsilon = 0;                                     // ε in units of 2^−64
  double max_distance = std::numeric_limits<double>::infinity(); // a candidate's largest distance, in spacings
  std::uint64_t argument_limit = 0; // number of arguments; the last domain may reach beyond
  double survivor_share = 0;        // expected share in phase 1

  [[nodiscard]] static BatchParameters of(const DomainPlan& plan);
};

// Consecutive domains of one interval, with their coefficients or with the polynomial from which a device makes them.
struct DomainBatch : Batch {
  BatchParameters parameters;
  uint128 first_argument = 0; // its index in the piece
  std::vector<std::uint64_t> lines;
  std::vector<std::uint64_t> slopes;
  std::vector<std::int64_t> curvatures;

  // If not null, the vectors are empty, and the batch consists of these packets of the polynomial.
  std::shared_ptr<const HierarchicalPolynomial> polynomial;
  std::uint64_t first_packet = 0;
  std::uint32_t packets = 0;

  [[nodiscard]] std::uint64_t count() const override { return parameters.argument_limit; }
  [[nodiscard]] bool is_compact() const override { return 3 * lines.size() <= most_compact_words; }
  [[nodiscard]] std::uint32_t domain_count() const {
    return static_cast<std::uint32_t>(polynomial ? packets * polynomial->packet_size() : lines.size());
  }
  // The packets and their size, as cl_kernels/domains/layout.clh has them.
  [[nodiscard]] std::uint32_t packet_count() const { return polynomial ? packets : 1; }
  [[nodiscard]] std::uint32_t packet_bits() const {
    return polynomial ? static_cast<std::uint32_t>(polynomial->packet_bits()) : 0;
  }
};

// What the kernels get of a batch, with the domains of `behind`, if it is not null, behind its own.
[[nodiscard]] layout::domain_parameters kernel_parameters(const DomainBatch& batch,
                                                          const DomainBatch* behind = nullptr);

// The domains first … first + count − 1 of a plan, with coefficients made by `threads` threads.
[[nodiscard]] DomainBatch make_batch(const DomainPlan& plan, std::uint64_t first, std::uint64_t count,
                                     unsigned threads = 1);

// The packets that contain the domains first … first + count − 1, for a device to make; `first` is the first domain of
// a packet.
[[nodiscard]] DomainBatch make_hybrid_batch(const DomainPlan& plan, std::uint64_t first, std::uint64_t count);

// The survivors of each phase, sorted for comparison.
struct PhaseTrace {
  std::vector<std::uint32_t> domains;
  std::vector<std::uint32_t> sub_domains;
};

} // namespace tmd::engine::domains
