// Domains on their way from the host to the device.
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

// Phase 3 evaluates a sub-domain in runs of at most 2^most_run_bits arguments, a work-item each.
inline constexpr int most_run_bits = 8;

// What the three kernels need to know of a batch, beside its coefficients.
struct BatchParameters {
  bool exhaustive = false; // phase 3 alone, on all domains
  Test test = Test::regular;
  int length_bits1 = 64; // of the phases' lengths
  int length_bits2 = 64;
  int domain_bits = 0;
  int split_bits = 0;
  unsigned scale = 0;        // of the curvatures
  std::uint64_t offset1 = 0; // the bounds of the ledger, rounded up to multiples of 2^−64
  std::uint64_t offset2 = 0;
  std::uint64_t offset3 = 0;
  std::uint64_t epsilon = 0;                              // of the ledger, in that unit
  double reach = std::numeric_limits<double>::infinity(); // no candidate lies further from a breakpoint, in spacings
  std::uint64_t argument_limit = 0;                       // arguments; the last domain may reach beyond
  double survivor_share = 0;                              // expected of phase 1

  [[nodiscard]] static BatchParameters of(const DomainPlan& plan);
};

// Consecutive domains of one interval: with their coefficients, or with the polynomial by which a device makes them.
struct DomainBatch : Batch {
  BatchParameters parameters;
  uint128 first_argument = 0; // index in the piece
  std::vector<std::uint64_t> lines;
  std::vector<std::uint64_t> slopes;
  std::vector<std::int64_t> curvatures;

  // Not null: the vectors are empty, and the batch is these packets of the polynomial.
  std::shared_ptr<const HierarchicalPolynomial> polynomial;
  std::uint64_t first_packet = 0;
  std::uint32_t packets = 0;

  [[nodiscard]] std::uint64_t count() const override { return parameters.argument_limit; }
  [[nodiscard]] bool is_compact() const override { return 3 * lines.size() <= most_compact_words; }
  [[nodiscard]] std::uint32_t domain_count() const {
    return static_cast<std::uint32_t>(polynomial ? packets * polynomial->packet_size() : lines.size());
  }
};

// The domains first … first + count − 1 of a plan, coefficients made by `threads` threads.
[[nodiscard]] DomainBatch make_batch(const DomainPlan& plan, std::uint64_t first, std::uint64_t count,
                                     unsigned threads = 1);

// The packets that hold the domains first … first + count − 1, for a device to make; first begins a packet.
[[nodiscard]] DomainBatch make_hybrid_batch(const DomainPlan& plan, std::uint64_t first, std::uint64_t count);

// What each phase of a batch kept; sorted, to be compared.
struct PhaseTrace {
  std::vector<std::uint32_t> domains;
  std::vector<std::uint32_t> sub_domains;
};

} // namespace tmd::engine::domains
