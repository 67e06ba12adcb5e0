#include "engine/domains/batch.hpp"

#include <algorithm>
#include <thread>

namespace tmd {

namespace {

constexpr std::uint64_t most_groups = std::uint64_t(1) << 31; // of a batch: kernels count them with 32 bits

} // namespace

PhaseCount& PhaseCount::operator+=(const PhaseCount& more) {
  tested += more.tested;
  survivors += more.survivors;
  seconds += more.seconds;
  return *this;
}

PhaseCounts& PhaseCounts::operator+=(const PhaseCounts& more) {
  polynomials += more.polynomials;
  phase1 += more.phase1;
  phase2 += more.phase2;
  phase3 += more.phase3;
  wide_groups += more.wide_groups;
  wide_parts += more.wide_parts;
  wide_sweep += more.wide_sweep;
  wide_check += more.wide_check;
  return *this;
}

BatchParameters BatchParameters::of(const IntervalPlan& plan) {
  BatchParameters result;
  result.method = plan.method;
  result.test = plan.test;
  result.length_bits1 = plan.length_bits1;
  result.length_bits2 = plan.length_bits2;
  result.domain_bits = plan.domain_bits;
  result.split_bits = plan.split_bits;
  if (plan.method == Method::wide) {
    result.wide = plan.wide;
    result.offset3 = plan.ledger.wide_check().fixed_point();
    return result;
  }
  result.scale = plan.polynomial->scale();
  if (plan.method == Method::filtered) {
    result.offset1 = plan.ledger.phase1().fixed_point();
    result.offset2 = plan.ledger.phase2().fixed_point();
  }
  result.offset3 = plan.ledger.phase3().fixed_point();
  return result;
}

DomainBatch make_batch(const IntervalPlan& plan, std::uint64_t first, std::uint64_t count, unsigned threads) {
  constexpr std::uint64_t domains_per_thread = 1 << 14; // below, starting a thread costs more than it saves
  DomainBatch batch;
  batch.parameters = BatchParameters::of(plan);
  batch.parameters.argument_limit = std::min(count << plan.domain_bits, plan.count - (first << plan.domain_bits));
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
  std::vector<std::thread> helpers;
  for (std::uint64_t index = 1; index < parts; ++index)
    helpers.emplace_back([&, index] {
      const ThreadCaches caches;
      generate_part(index);
    });
  generate_part(0);
  for (std::thread& helper : helpers)
    helper.join();
  return batch;
}

DomainBatch make_wide_batch(const IntervalPlan& plan, std::uint64_t first, std::uint64_t count) {
  DomainBatch batch;
  batch.parameters = BatchParameters::of(plan);
  const int bits = plan.wide.polynomial->sub_bits();
  count = std::min(count, std::max<std::uint64_t>(1, most_groups >> (bits - plan.wide.polynomial->group_bits())));
  batch.parameters.argument_limit = std::min(count << bits, plan.count - (first << bits));
  batch.first_sub_interval = first;
  batch.sub_intervals = static_cast<std::uint32_t>(count);
  return batch;
}

DomainBatch make_hybrid_batch(const IntervalPlan& plan, std::uint64_t first, std::uint64_t count) {
  const HierarchicalPolynomial& polynomial = *plan.polynomial;
  DomainBatch batch;
  batch.parameters = BatchParameters::of(plan);
  batch.parameters.argument_limit = std::min(count << plan.domain_bits, plan.count - (first << plan.domain_bits));
  batch.polynomial = plan.polynomial;
  batch.first_packet = first >> polynomial.packet_bits();
  batch.packets = static_cast<std::uint32_t>(((count - 1) >> polynomial.packet_bits()) + 1);
  return batch;
}

} // namespace tmd
