#include "search/batch.hpp"

#include <algorithm>

namespace tmd {

namespace {

// The names that the shared kernel pieces expect (cl_kernels/portable.clh).
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using word = u64;
i64 high_half(i64 x, i64 y) { return static_cast<i64>((int128(x) * y) >> 64); }
#define PURE inline
#define TMD_WORD_BITS 64
#define TMD_LOGMS 0
#define TMD_ALGORITHM 1
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/division.clh"

#include "cl_kernels/existence.clh"

#include "cl_kernels/refinement.clh"
// NOLINTEND

} // namespace

BatchParameters BatchParameters::of(const IntervalPlan& plan) {
  BatchParameters result;
  result.method = plan.method;
  result.domain_bits = plan.domain_bits;
  result.split_bits = plan.split_bits;
  result.scale = plan.polynomial->scale();
  if (plan.method == Method::three_phases) {
    result.offset1 = plan.ledger.phase1().fixed_point();
    result.offset2 = plan.ledger.phase2().fixed_point();
  }
  result.offset3 = plan.ledger.phase3().fixed_point();
  return result;
}

std::vector<std::uint64_t> search_on_host(const DomainBatch& batch, PhaseTrace* trace) {
  const BatchParameters& parameters = batch.parameters;
  const u64 size = u64(1) << parameters.domain_bits;
  const auto last = static_cast<i64>(size) - 1;
  const bool phases = parameters.method == Method::three_phases;
  const unsigned split_bits = phases ? static_cast<unsigned>(parameters.split_bits) : 0;
  const u64 sub_size = size >> split_bits;
  const int run_bits = std::min(most_run_bits, parameters.domain_bits - static_cast<int>(split_bits));
  PhaseTrace kept;
  std::vector<u64> candidates;
  for (u32 domain = 0; domain < batch.domain_count(); ++domain) {
    const u64 line = batch.lines[domain];
    const u64 slope = batch.slopes[domain];
    const i64 curvature = batch.curvatures[domain];
    if (phases && may_exist(-slope, line + parameters.offset1, 2 * parameters.offset1, size) == 0)
      continue;
    kept.domains.push_back(domain);
    for (u64 part = 0; part < (u64(1) << split_bits); ++part) {
      const auto start = static_cast<i64>(part * sub_size);
      u64 sub_slope = 0;
      const u64 sub_line = sub_domain_line(line, slope, curvature, parameters.scale, last, start,
                                           static_cast<i64>(sub_size) - 1, &sub_slope);
      if (phases && may_exist(-sub_slope, sub_line + parameters.offset2, 2 * parameters.offset2, sub_size) == 0)
        continue;
      kept.sub_domains.push_back((domain << split_bits) | static_cast<u32>(part));
      for (u64 run = 0; run < sub_size; run += u64(1) << run_bits) {
        u64 argument = domain * size + static_cast<u64>(start) + run;
        tabulation t = tabulate_from(line, slope, curvature, parameters.scale, last, start + static_cast<i64>(run));
        for (u64 m = 0; m < (u64(1) << run_bits); ++m, ++argument) {
          if (t.value + parameters.offset3 < 2 * parameters.offset3 && argument < parameters.argument_limit)
            candidates.push_back(argument);
          tabulate_next(&t);
        }
      }
    }
  }
  if (trace != nullptr)
    *trace = std::move(kept);
  return candidates;
}

} // namespace tmd
