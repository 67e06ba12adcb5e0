#include "engine/wide/self_test.hpp"

#include "engine/self_test.hpp"
#include "engine/wide/reference.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

namespace tmd::engine::wide {

namespace {

// Four sub-intervals of 16 groups, the first of an interval of its own, the last ones partial; denominators and lines
// are as in long searches.
constexpr WideChoice choice{.group_bits = 10, .sub_bits = 14, .denominator_limit = 400, .lines = 3, .cost = 1};
constexpr std::uint64_t wide_argument_count = self_test::argument_count - 321;
constexpr int bits = 13;

// A way of testing the groups: with what suits the kernels, or with the filter before all lines but the first.
struct Variant {
  float denominator_limit;
  std::optional<float> unfiltered_lines;
  float error; // least error
};
constexpr std::array variants{Variant{choice.denominator_limit, {}, 0},
                              Variant{choice.denominator_limit, 0.0F, 0},
                              Variant{40, {}, 0}, // for many groups a larger denominator would be better
                              Variant{40, 0.0F, 0},
                              Variant{4, 0.0F, 0},     // many lines
                              Variant{8, {}, 0x1p-8F}, // crowded classes, with hits on chords to both sides
                              Variant{16, {}, 0x1p-10F},
                              Variant{4, {}, 0x1p-8F}}; // more candidates than lists hold

// Whether a search without the kernel for refused parts finds everything in the other parts, which are most.
bool finds_all_but_in_refused(WideSearch& device, const WideBatch& batch, const std::vector<std::uint64_t>& expected) {
  std::vector<std::uint64_t> refused;
  const std::vector<std::uint64_t> found = device.search(batch, {}, &refused);
  std::sort(refused.begin(), refused.end());
  refused.erase(std::unique(refused.begin(), refused.end()), refused.end());
  const int part_size_bits = batch.parameters.group_bits - batch.parameters.part_bits;
  std::vector<std::uint64_t> missing;
  std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
  return std::includes(expected.begin(), expected.end(), found.begin(), found.end()) &&
         std::all_of(missing.begin(), missing.end(),
                     [&](std::uint64_t argument) {
                       return std::binary_search(refused.begin(), refused.end(), argument >> part_size_bits);
                     }) &&
         refused.size() < wide_argument_count >> (part_size_bits + 2);
}

} // namespace

WideBatch wide_self_test_batch() {
  constexpr int degree = 6;
  constexpr long fraction_bits = 640;
  constexpr std::uint64_t of_first = std::uint64_t(1) << choice.sub_bits;
  const auto plan_of = [](std::uint64_t first, std::uint64_t count) {
    const auto taylor = polynomial::taylor_polynomial(self_test::function(wide_argument_count), first, count,
                                                      number::Bound::power_of_two(-2L * bits), degree, fraction_bits);
    return taylor ? plan_wide(*taylor, choice, bits) : nullptr;
  };
  const auto plan = plan_of(0, of_first);
  const auto rest = plan_of(of_first, wide_argument_count - of_first);
  if (!plan || !rest || !plan->append(*rest))
    throw SoundnessError("the self-test's own plan failed");
  return make_wide_batch(*plan, 0, plan->sub_interval_count());
}

std::string wide_self_test_failure(WideSearch& device, WideSelfTest of) {
  const Launcher::Unrecorded unrecorded(*device.launcher());
  WideBatch batch = wide_self_test_batch();
  const std::vector<std::uint64_t> expected = sweep_on_host(batch);
  if (!std::binary_search(expected.begin(), expected.end(), self_test::known_index))
    throw SoundnessError("the self-test's known case is missing on the host");
  const Stages before = device.stages();
  WideParameters& wide = batch.parameters;
  std::string wrong;
  if (of != WideSelfTest::refused)
    for (const Variant& variant : variants) {
      WideBatch other = batch;
      other.parameters.denominator_limit = variant.denominator_limit;
      other.parameters.unfiltered_lines = variant.unfiltered_lines;
      other.parameters.error = std::max(variant.error, wide.error);
      other.parameters.part_bits = 3; // so that it matters which part is refused
      if (wrong.empty() && !finds_all_but_in_refused(device, other, expected))
        wrong = "the candidates of the wide test are wrong";
    }
  if (of != WideSelfTest::groups) {
    const auto compare = [&](const WideBatch& searched, const std::vector<std::uint64_t>& with, const char* what) {
      if (wrong.empty() && device.search(searched) != with)
        wrong = what;
    };
    compare(batch, expected, "the candidates of the wide test are wrong");
    wide.part_bits = 1;  // so that every kernel has something to do
    wide.most_lines = 2; // fewer than most groups have
    compare(batch, expected, "the candidates of the wide test in parts are wrong");
    WideBatch few = batch; // few, so that lists have room
    few.sub_intervals = 1;
    few.argument_limit = std::uint64_t(1) << choice.sub_bits;
    const std::vector<std::uint64_t> expected_few = sweep_on_host(few);
    compare(few, expected_few, "the candidates of the wide test in parts are wrong");
    wide.denominator_limit = variants.back().denominator_limit;
    wide.error = variants.back().error; // more candidates than lists hold
    compare(batch, expected, "the candidates of the wide test in parts are wrong");
    few.parameters.error = 0x1p15F; // too many lines for any part
    compare(few, expected_few, "the arguments that the wide test leaves are wrong");
  }
  device.reset_stages(before);
  return wrong;
}

} // namespace tmd::engine::wide
