#include "engine/wide/self_test.hpp"

#include "engine/self_test.hpp"
#include "engine/wide/reference.hpp"
#include "error.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tmd {

namespace {

// Four sub-intervals of 16 groups, the last ones partial; denominators, lines and words as in long searches.
constexpr WideChoice choice{
    .group_bits = 10, .sub_bits = 14, .fewest_words = 11, .denominator_limit = 400, .lines = 3, .cost = 1};
constexpr std::uint64_t wide_argument_count = self_test::argument_count - 321;
constexpr int bits = 13;

} // namespace

WideBatch wide_self_test_batch() {
  constexpr int degree = 6;
  constexpr long fraction_bits = 640;
  const auto taylor = taylor_polynomial(self_test::function(wide_argument_count), 0, wide_argument_count,
                                        Bound::power_of_two(-2L * bits), degree, fraction_bits);
  const auto plan = taylor ? plan_wide(*taylor, choice, bits) : nullptr;
  if (!plan)
    throw SoundnessError("the self-test's own plan failed");
  return make_wide_batch(*plan, 0, plan->sub_interval_count());
}

std::string wide_self_test_failure(WideSearch& device) {
  const Launcher::Unrecorded unrecorded(*device.launcher());
  WideBatch batch = wide_self_test_batch();
  const std::vector<std::uint64_t> expected = sweep_on_host(batch);
  if (!std::binary_search(expected.begin(), expected.end(), self_test::known_index))
    throw SoundnessError("the self-test's known case is missing on the host");
  const Stages before = device.stages();
  WideParameters& wide = batch.parameters;
  std::string wrong;
  if (device.search(batch) != expected)
    wrong = "candidates of the wide test";
  wide.part_bits = 1;  // so that every kernel has something to do
  wide.most_lines = 2; // most groups have more
  if (wrong.empty() && device.search(batch) != expected)
    wrong = "candidates of the wide test in parts";
  wide.error = 0x1p15F; // too many lines for any part
  batch.sub_intervals = 1;
  batch.argument_limit = std::uint64_t(1) << choice.sub_bits;
  if (wrong.empty() && device.search(batch) != sweep_on_host(batch))
    wrong = "arguments that the wide test leaves";
  device.reset_stages(before);
  return wrong;
}

} // namespace tmd
