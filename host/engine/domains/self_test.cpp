#include "engine/domains/self_test.hpp"

#include "error.hpp"
#include "format/argument.hpp"
#include "format/grid.hpp"
#include "function/catalogue.hpp"
#include "engine/domains/plan.hpp"
#include "engine/domains/reference.hpp"
#include "engine/wide/plan.hpp"
#include "engine/wide/reference.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tmd {

namespace {

// exp(0x1.bace898p+0) lies 2^−26.04 half-ulps from a breakpoint of 27 bits. With so few, a domain of 256 arguments
// bends by as much as the bound: what the kernels do with the curvature decides over survivors, too.
constexpr int precision = 27;
constexpr std::uint64_t known_significand = 0x1bace898 >> 2;
constexpr int known_unit_exponent = 1 - precision;
constexpr int value_exponent = 2;
constexpr std::uint64_t argument_count = std::uint64_t(1) << 16;
constexpr std::uint64_t known_index = 12345;
constexpr int bits = 12;
constexpr int domain_bits = 8;
constexpr int split_bits = 3;

// For the wide test: four sub-intervals of 16 groups, the last ones partial; denominators, lines and words as in
// long searches.
constexpr WideChoice wide_choice{
    .group_bits = 10, .sub_bits = 14, .fewest_words = 11, .denominator_limit = 400, .lines = 3, .cost = 1};
constexpr std::uint64_t wide_argument_count = argument_count - 321;
constexpr int wide_bits = 13;

// Throws DeviceError unless nothing was wrong.
void require(const DeviceSearch& device, const std::string& wrong) {
  if (!wrong.empty())
    throw DeviceError(fmt::format("device {} ({}) failed the self-test: wrong {}; its OpenCL driver cannot be trusted",
                                  device.device().index, device.device().name, wrong));
}

} // namespace

DomainBatch self_test_batch(Test test, int length_bits1, int length_bits2) {
  const Piece piece{false, known_unit_exponent, known_significand - known_index, argument_count, false, value_exponent};
  PlanOptions options;
  options.bits = bits;
  options.domain_bits = domain_bits;
  options.split_bits = split_bits;
  options.test = test; // also where exhaustive search would be cheaper
  options.length_bits1 = length_bits1;
  options.length_bits2 = length_bits2;
  Planner planner(ScaledFunction(find_function("exp"), {Rounding::all, precision}, piece), options);
  const auto plan = planner.next();
  if (!plan || plan->method != Method::filtered || plan->count != argument_count)
    throw SoundnessError("the self-test's own plan failed");
  return make_batch(*plan, 0, plan->polynomial->domain_count());
}

std::string self_test_failure(DeviceSearch& device, Test test) {
  const Tunables& tunables = device.tunables();
  const DomainBatch batch = self_test_batch(test, length_bits(static_cast<Division>(tunables.phase1_division)),
                                            length_bits(static_cast<Division>(tunables.phase2_division)));
  PhaseTrace expected;
  const auto expected_candidates = search_on_host(batch, &expected);
  if (!std::binary_search(expected_candidates.begin(), expected_candidates.end(), known_index))
    throw SoundnessError("the self-test's known case is missing on the host");
  const auto run = [&]() -> std::string {
    PhaseTrace found;
    const auto candidates = device.search(batch, &found);
    if (device.deployment() == Deployment::three && found.domains != expected.domains)
      return "survivors of phase 1";
    if (device.deployment() == Deployment::three && found.sub_domains != expected.sub_domains)
      return "survivors of phase 2";
    return candidates == expected_candidates ? "" : "candidates of phase 3";
  };
  const PhaseCounts before = device.counts();
  const Compaction asked = device.compaction();
  std::string wrong;
  if (asked == Compaction::automatic && device.deployment() == Deployment::three)
    for (const Compaction compaction : {Compaction::scan, Compaction::atomic}) {
      device.set_compaction(compaction);
      if (wrong.empty())
        wrong = run();
    }
  else
    wrong = run();
  device.set_compaction(asked);
  device.reset_counts(before);
  return wrong;
}

void self_test(DeviceSearch& device, Test test) { require(device, self_test_failure(device, test)); }

DomainBatch wide_self_test_batch() {
  const Piece piece{false, known_unit_exponent, known_significand - known_index, wide_argument_count,
                    false, value_exponent};
  PlanOptions options;
  options.bits = wide_bits;
  constexpr int degree = 6;
  constexpr long fraction_bits = 640;
  const ScaledFunction function(find_function("exp"), {Rounding::all, precision}, piece);
  const auto taylor =
      taylor_polynomial(function, 0, wide_argument_count, Bound::power_of_two(-2 * wide_bits), degree, fraction_bits);
  const auto plan = taylor ? plan_wide(*taylor, wide_choice, options) : std::nullopt;
  if (!plan)
    throw SoundnessError("the self-test's own plan failed");
  return make_wide_batch(*plan, 0, plan->domain_count());
}

std::string wide_self_test_failure(DeviceSearch& device) {
  DomainBatch batch = wide_self_test_batch();
  const std::vector<std::uint64_t> expected = sweep_on_host(batch);
  if (!std::binary_search(expected.begin(), expected.end(), known_index))
    throw SoundnessError("the self-test's known case is missing on the host");
  const PhaseCounts before = device.counts();
  WideParameters& wide = batch.parameters.wide;
  std::string wrong;
  if (device.search(batch) != expected)
    wrong = "candidates of the wide test";
  wide.part_bits = 1;  // so that every kernel has something to do
  wide.most_lines = 2; // most groups have more
  if (wrong.empty() && device.search(batch) != expected)
    wrong = "candidates of the wide test in parts";
  wide.error = 0x1p15F; // too many lines for any part
  batch.sub_intervals = 1;
  batch.parameters.argument_limit = std::uint64_t(1) << wide_choice.sub_bits;
  if (wrong.empty() && device.search(batch) != sweep_on_host(batch))
    wrong = "arguments that the wide test leaves";
  device.reset_counts(before);
  return wrong;
}

void wide_self_test(DeviceSearch& device) { require(device, wide_self_test_failure(device)); }

} // namespace tmd
