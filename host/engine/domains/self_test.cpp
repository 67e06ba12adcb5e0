#include "engine/domains/self_test.hpp"

#include "engine/domains/reference.hpp"
#include "engine/domains/tunables.hpp"
#include "engine/self_test.hpp"
#include "tmd/error.hpp"

#include <algorithm>

namespace tmd::engine::domains {

namespace {

constexpr int bits = 12;
constexpr int domain_bits = 8;
constexpr int split_bits = 3;

} // namespace

DomainBatch self_test_batch(Test test, int length_bits1, int length_bits2) {
  DomainOptions options;
  options.domain_bits = domain_bits;
  options.split_bits = split_bits;
  options.test = test; // even if exhaustive search would be cheaper
  options.length_bits1 = length_bits1;
  options.length_bits2 = length_bits2;
  const auto plan =
      DomainPlanner(self_test::function(self_test::argument_count), bits, options).plan(0, self_test::argument_count);
  if (!plan || plan->exhaustive || plan->count != self_test::argument_count)
    throw SoundnessError("the self-test's own plan failed");
  return make_batch(*plan, 0, plan->domain_count());
}

std::string self_test_failure(DomainSearch& device, Test test) {
  const device::Tunables& tunables = device.tunables();
  const DomainBatch batch =
      self_test_batch(test, length_bits(static_cast<Division>(tunables[domain_tunable("phase1.division")])),
                      length_bits(static_cast<Division>(tunables[domain_tunable("phase2.division")])));
  PhaseTrace expected;
  const auto expected_candidates = search_on_host(batch, &expected);
  if (!std::binary_search(expected_candidates.begin(), expected_candidates.end(), self_test::known_index))
    throw SoundnessError("the self-test's known case is missing on the host");
  const auto run = [&]() -> std::string {
    PhaseTrace found;
    const auto candidates = device.search(batch, &found);
    if (device.deployment() == Deployment::three && found.domains != expected.domains)
      return "the survivors of phase 1 are wrong";
    if (device.deployment() == Deployment::three && found.sub_domains != expected.sub_domains)
      return "the survivors of phase 2 are wrong";
    return candidates == expected_candidates ? "" : "the candidates of phase 3 are wrong";
  };
  const Stages before = device.stages();
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
  device.reset_stages(before);
  return wrong;
}

} // namespace tmd::engine::domains
