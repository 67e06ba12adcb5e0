// The kernels' text is included once for each test and length of words, in namespaces of their own; search_on_host()
// runs the phases with it one after the other, domain by domain.
#include "engine/domains/reference.hpp"

#include "engine/compaction.hpp"
#include "engine/kernel_text.hpp"
#include "engine/launcher.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tmd::engine::domains {

namespace {

using namespace kernel_text;
#define TMD_LOGMS 3
#define TMD_COUNT_ROUNDS

// clang-format off
// NOLINTBEGIN: OpenCL C
#include "cl_kernels/common/compaction_numbers.clh"
#include "cl_kernels/common/evidence_numbers.clh"
#include "cl_kernels/common/vector.clh"
#include "cl_kernels/domains/refinement.clh"
// All division strategies give the same quotients, so one for each length is enough.
namespace regular_64 {
#define TMD_ALGORITHM 1
#define TMD_DIVISION 1
#include "cl_kernels/domains/existence.clh"
#undef TMD_ALGORITHM
#undef TMD_DIVISION
} // namespace regular_64
namespace regular_52 {
#define TMD_ALGORITHM 1
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_ALGORITHM
#undef TMD_DIVISION
} // namespace regular_52
namespace lefevre_64 {
#define TMD_ALGORITHM 2
#define TMD_DIVISION 1
#include "cl_kernels/domains/existence.clh"
#undef TMD_ALGORITHM
#undef TMD_DIVISION
} // namespace lefevre_64
namespace lefevre_52 {
#define TMD_ALGORITHM 2
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_ALGORITHM
#undef TMD_DIVISION
} // namespace lefevre_52
namespace lefevre_plain_64 {
#define TMD_ALGORITHM 3
#define TMD_DIVISION 1
#include "cl_kernels/domains/existence.clh"
#undef TMD_ALGORITHM
#undef TMD_DIVISION
} // namespace lefevre_plain_64
namespace lefevre_plain_52 {
#define TMD_ALGORITHM 3
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_ALGORITHM
#undef TMD_DIVISION
} // namespace lefevre_plain_52
namespace lefevre_swap_64 {
#define TMD_ALGORITHM 4
#define TMD_DIVISION 1
#include "cl_kernels/domains/existence.clh"
#undef TMD_ALGORITHM
#undef TMD_DIVISION
} // namespace lefevre_swap_64
namespace lefevre_swap_52 {
#define TMD_ALGORITHM 4
#define TMD_DIVISION 5
#include "cl_kernels/domains/existence.clh"
#undef TMD_ALGORITHM
#undef TMD_DIVISION
} // namespace lefevre_swap_52
// NOLINTEND
// clang-format on

// Tests, divisions and compactions have the same numbers in the kernels.
static_assert(static_cast<int>(Test::regular) == TMD_ALGORITHM_REGULAR &&
              static_cast<int>(Test::lefevre) == TMD_ALGORITHM_LEFEVRE &&
              static_cast<int>(Test::lefevre_plain) == TMD_ALGORITHM_LEFEVRE_PLAIN &&
              static_cast<int>(Test::lefevre_swap) == TMD_ALGORITHM_LEFEVRE_SWAP);
static_assert(static_cast<int>(Division::native) == TMD_DIVISION_NATIVE &&
              static_cast<int>(Division::subtract) == TMD_DIVISION_SUBTRACT &&
              static_cast<int>(Division::hybrid) == TMD_DIVISION_HYBRID &&
              static_cast<int>(Division::reciprocal) == TMD_DIVISION_RECIPROCAL &&
              static_cast<int>(Division::double_lengths) == TMD_DIVISION_DOUBLE &&
              static_cast<int>(Division::double_reciprocal) == TMD_DIVISION_DOUBLE_RECIPROCAL);
static_assert(Launcher::counter_count == std::size_t(TMD_EVIDENCE_SLOTS + 1) * TMD_EVIDENCE_STRIDE &&
              Launcher::evidence_slots == TMD_EVIDENCE_SLOTS && Launcher::evidence_stride == TMD_EVIDENCE_STRIDE &&
              TMD_EVIDENCE_WORK == 0 && TMD_EVIDENCE_SECOND == 1 && TMD_EVIDENCE_READ == 2);
static_assert(by_atomics == TMD_COMPACTION_ATOMIC && by_scan == TMD_COMPACTION_SCAN &&
              by_sub_groups == TMD_COMPACTION_SUB_GROUPS);

using MayExist = int (*)(kernel_text::word, kernel_text::word, kernel_text::word, kernel_text::word,
                         kernel_layout::u32*);

MayExist test_function(Test test, int length_bits) {
  static constexpr std::array<std::array<MayExist, 2>, 4> table{
      {{regular_64::may_exist, regular_52::may_exist},
       {lefevre_64::may_exist, lefevre_52::may_exist},
       {lefevre_plain_64::may_exist, lefevre_plain_52::may_exist},
       {lefevre_swap_64::may_exist, lefevre_swap_52::may_exist}}};
  return table[static_cast<unsigned>(test) - 1][length_bits == 52 ? 1 : 0];
}

} // namespace

std::vector<std::uint64_t> search_on_host(const DomainBatch& batch, PhaseTrace* trace) {
  const BatchParameters& parameters = batch.parameters;
  const kernel_layout::u64 size = kernel_layout::u64(1) << parameters.domain_bits;
  const auto last = static_cast<kernel_layout::i64>(size) - 1;
  const bool phases = !parameters.exhaustive;
  const unsigned split_bits = phases ? static_cast<unsigned>(parameters.split_bits) : 0;
  const kernel_layout::u64 sub_size = size >> split_bits;
  const int run_bits = std::min(most_run_bits, parameters.domain_bits - static_cast<int>(split_bits));
  const MayExist phase1 = test_function(parameters.test, parameters.length_bits1);
  const MayExist phase2 = test_function(parameters.test, parameters.length_bits2);
  PhaseTrace kept;
  std::vector<kernel_layout::u64> candidates;
  kernel_layout::u32 rounds = 0;
  for (kernel_layout::u32 domain = 0; domain < batch.domain_count(); ++domain) {
    const kernel_layout::u64 line = batch.lines[domain];
    const kernel_layout::u64 slope = batch.slopes[domain];
    const kernel_layout::i64 curvature = batch.curvatures[domain];
    if (phases && phase1(-slope, line + parameters.offset1, 2 * parameters.offset1, size, &rounds) == 0)
      continue;
    kept.domains.push_back(domain);
    for (kernel_layout::u64 part = 0; part < (kernel_layout::u64(1) << split_bits); ++part) {
      const auto start = static_cast<kernel_layout::i64>(part * sub_size);
      kernel_layout::u64 sub_slope = 0;
      const kernel_layout::u64 sub_line = sub_domain_line(line, slope, curvature, parameters.scale, last, start,
                                                          static_cast<kernel_layout::i64>(sub_size) - 1, &sub_slope);
      if (phases && phase2(-sub_slope, sub_line + parameters.offset2, 2 * parameters.offset2, sub_size, &rounds) == 0)
        continue;
      kept.sub_domains.push_back((domain << split_bits) | static_cast<kernel_layout::u32>(part));
      for (kernel_layout::u64 run = 0; run < sub_size; run += kernel_layout::u64(1) << run_bits) {
        kernel_layout::u64 argument = domain * size + static_cast<kernel_layout::u64>(start) + run;
        tabulation t =
            tabulate_from(line, slope, curvature, parameters.scale, last, start + static_cast<kernel_layout::i64>(run));
        for (kernel_layout::u64 m = 0; m < (kernel_layout::u64(1) << run_bits); ++m, ++argument) {
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

std::uint64_t value_in_domain(std::uint64_t line, std::uint64_t slope, std::int64_t curvature,
                              const BatchParameters& parameters, std::uint64_t m) {
  const kernel_layout::i64 last = (kernel_layout::i64(1) << parameters.domain_bits) - 1;
  return value_at(line, slope, curvature, parameters.scale, last, static_cast<kernel_layout::i64>(m));
}

} // namespace tmd::engine::domains
