// Domains on their way from the host to the device.
#pragma once

#include "engine/domains/interval_plan.hpp"

#include <cstdint>
#include <vector>

namespace tmd {

// Phase 3 evaluates a sub-domain in runs of at most 2^most_run_bits arguments, a work-item each.
inline constexpr int most_run_bits = 8;

// What the three kernels need to know of a batch, beside its coefficients.
struct BatchParameters {
  Method method = Method::filtered; // or exhaustive
  Test test = Test::regular;
  int length_bits1 = 64; // of the phases' lengths
  int length_bits2 = 64;
  int domain_bits = 0;
  int split_bits = 0;
  unsigned scale = 0;        // of the curvatures
  std::uint64_t offset1 = 0; // the bounds of the ledger, rounded up to multiples of 2^−64
  std::uint64_t offset2 = 0;
  std::uint64_t offset3 = 0;
  std::uint64_t argument_limit = 0; // arguments; the last domain may reach beyond

  WideParameters wide; // of Method::wide; its other members: method, domain_bits, offset3, argument_limit

  [[nodiscard]] static BatchParameters of(const IntervalPlan& plan);
};

// Consecutive domains of one interval: with their coefficients, or with the polynomial by which a device makes them.
struct DomainBatch {
  BatchParameters parameters;
  std::vector<std::uint64_t> lines;
  std::vector<std::uint64_t> slopes;
  std::vector<std::int64_t> curvatures;

  // Not null: the vectors are empty, and the batch is these packets of the polynomial.
  std::shared_ptr<const HierarchicalPolynomial> polynomial;
  std::uint64_t first_packet = 0;
  std::uint32_t packets = 0;

  // For the wide test: these sub-intervals of parameters.wide.polynomial, and nothing else.
  std::uint64_t first_sub_interval = 0;
  std::uint32_t sub_intervals = 0;

  [[nodiscard]] std::uint32_t domain_count() const {
    return static_cast<std::uint32_t>(polynomial ? packets * polynomial->packet_size() : lines.size());
  }
};

// The domains first … first + count − 1 of a plan with a polynomial, coefficients made by `threads` threads.
[[nodiscard]] DomainBatch make_batch(const IntervalPlan& plan, std::uint64_t first, std::uint64_t count,
                                     unsigned threads = 1);

// The packets that hold the domains first … first + count − 1, for a device to make; first begins a packet.
[[nodiscard]] DomainBatch make_hybrid_batch(const IntervalPlan& plan, std::uint64_t first, std::uint64_t count);

// The sub-intervals of a plan for the wide test from `first` on: `count` of them, or fewer where they have too many
// groups for one batch.
[[nodiscard]] DomainBatch make_wide_batch(const IntervalPlan& plan, std::uint64_t first, std::uint64_t count);

// Work of one phase: what it tested, what it kept, and the device's time for it.
struct PhaseCount {
  std::uint64_t tested = 0; // domains, sub-domains, or in phase 3 sub-domains searched exhaustively
  std::uint64_t survivors = 0;
  double seconds = 0;

  PhaseCount& operator+=(const PhaseCount& more);
};

struct PhaseCounts {
  PhaseCount polynomials; // domains made by the device
  PhaseCount phase1;
  PhaseCount phase2;
  PhaseCount phase3;
  PhaseCount wide_groups; // the wide test: groups, and the candidates that they gave
  PhaseCount wide_parts;  // parts of groups that the test refused, and their candidates
  PhaseCount wide_sweep;  // runs of arguments of parts refused again, and the arguments kept
  PhaseCount wide_check;  // candidates one by one

  // The wide test's together.
  [[nodiscard]] double wide_seconds() const {
    return wide_groups.seconds + wide_parts.seconds + wide_sweep.seconds + wide_check.seconds;
  }
  PhaseCounts& operator+=(const PhaseCounts& more);
  // The device's time for all of it.
  [[nodiscard]] double seconds() const {
    return polynomials.seconds + phase1.seconds + phase2.seconds + phase3.seconds + wide_seconds();
  }
};

// What each phase of a batch kept; sorted, to be compared.
struct PhaseTrace {
  std::vector<std::uint32_t> domains;
  std::vector<std::uint32_t> sub_domains;
};

} // namespace tmd
