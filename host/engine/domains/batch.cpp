#include "engine/domains/batch.hpp"

#include "number/in_parallel.hpp"

#include <algorithm>
#include <span>

namespace tmd::engine::domains {

namespace {

// A batch of `count` domains from number `first` on, without coefficients.
DomainBatch empty_batch(const DomainPlan& plan, std::uint64_t first, std::uint64_t count) {
  DomainBatch batch;
  batch.parameters = BatchParameters::of(plan);
  batch.parameters.argument_limit = std::min(count << plan.domain_bits, plan.count - (first << plan.domain_bits));
  batch.first_argument = plan.first + (static_cast<uint128>(first) << plan.domain_bits);
  return batch;
}

} // namespace

BatchParameters BatchParameters::of(const DomainPlan& plan) {
  BatchParameters result;
  result.exhaustive = plan.exhaustive;
  result.test = plan.test;
  result.length_bits1 = plan.length_bits1;
  result.length_bits2 = plan.length_bits2;
  result.domain_bits = plan.domain_bits;
  result.split_bits = plan.split_bits;
  result.survivor_share = plan.survivor_share;
  result.scale = plan.polynomial->scale();
  if (!plan.exhaustive) {
    result.offset1 = plan.ledger.phase1().fixed_point();
    result.offset2 = plan.ledger.phase2().fixed_point();
  }
  result.offset3 = plan.ledger.phase3().fixed_point();
  result.epsilon = plan.ledger.epsilon.fixed_point();
  // Below the bound of phase3(): the kernels' value differs from F's by the terms of phase3() other than ε.
  const DomainLedger& ledger = plan.ledger;
  result.max_distance =
      (ledger.phase3() + ledger.taylor + ledger.coefficients + ledger.high + ledger.fixedpoint3).value();
  return result;
}

layout::domain_parameters kernel_parameters(const DomainBatch& batch, const DomainBatch* behind) {
  const BatchParameters& p = batch.parameters;
  const std::uint64_t size = std::uint64_t(1) << p.domain_bits;
  const std::uint64_t limit =
      behind == nullptr ? p.argument_limit : (std::uint64_t(batch.domain_count()) + behind->domain_count()) * size;
  const auto split_bits = static_cast<std::uint32_t>(p.split_bits);
  return {size, p.offset1, p.offset2, p.offset3, limit, p.scale, split_bits, batch.packet_count(), batch.packet_bits()};
}

DomainBatch make_batch(const DomainPlan& plan, std::uint64_t first, std::uint64_t count, unsigned threads) {
  constexpr std::uint64_t domains_per_thread = 1 << 14; // for fewer, starting a thread is not worth it
  DomainBatch batch = empty_batch(plan, first, count);
  batch.lines.resize(count);
  batch.slopes.resize(count);
  batch.curvatures.resize(count);

  const std::uint64_t parts = std::clamp<std::uint64_t>(count / domains_per_thread, 1, std::max(threads, 1U));
  const auto generate_part = [&](std::uint64_t index) {
    // Whole packets, so that none is walked twice.
    const std::uint64_t packet = plan.polynomial->packet_size();
    const auto cut = [&](std::uint64_t i) { return i == parts ? count : count * i / parts / packet * packet; };
    const std::uint64_t begin = cut(index);
    const std::uint64_t length = cut(index + 1) - begin;
    plan.polynomial->generate(first + begin, length,
                              {std::span(batch.lines).subspan(begin, length),
                               std::span(batch.slopes).subspan(begin, length),
                               std::span(batch.curvatures).subspan(begin, length)});
  };
  number::in_parallel(parts, static_cast<unsigned>(parts),
                      [&](std::uint64_t index, unsigned) { generate_part(index); });
  return batch;
}

DomainBatch make_hybrid_batch(const DomainPlan& plan, std::uint64_t first, std::uint64_t count) {
  const HierarchicalPolynomial& polynomial = *plan.polynomial;
  DomainBatch batch = empty_batch(plan, first, count);
  batch.polynomial = plan.polynomial;
  batch.first_packet = first >> polynomial.packet_bits();
  batch.packets = static_cast<std::uint32_t>(((count - 1) >> polynomial.packet_bits()) + 1);
  return batch;
}

} // namespace tmd::engine::domains
