// Every variant of the kernels on a device against the same search on the host: tests, divisions,
// compactions, deployments, capacities, shapes of launches.
#include "device.hpp"
#include "host/engine/domains/reference.hpp"
#include "host/engine/domains/self_test.hpp"
#include "host/engine/domains/tunables.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>

namespace tmd::test {

namespace {

constexpr engine::domains::Test tests[] = {engine::domains::Test::regular, engine::domains::Test::lefevre,
                                           engine::domains::Test::lefevre_plain, engine::domains::Test::lefevre_swap};

// A batch, and the host's findings in it.
struct BatchAnswer {
  engine::domains::DomainBatch batch;
  engine::domains::PhaseTrace trace;
  std::vector<std::uint64_t> candidates;

  explicit BatchAnswer(engine::domains::DomainBatch domains)
      : batch(std::move(domains)), candidates(engine::domains::search_on_host(batch, &trace)) {
    std::sort(candidates.begin(), candidates.end());
    CHECK(trace.domains.size() > 5);
    CHECK(trace.sub_domains.size() > 5);
    CHECK(candidates.size() > 5);
    CHECK(trace.domains.size() < batch.domain_count());
    CHECK(trace.sub_domains.size() < trace.domains.size() << batch.parameters.split_bits);
  }
};

void compare(const BatchAnswer& expected, const device::Tunables& tunables, Deployment deployment,
             Compaction compaction) {
  INFO(engine::domains::to_string(expected.batch.parameters.test), ", divisions ",
       tunables[engine::domains::domain_tunable("phase1.division")], " and ",
       tunables[engine::domains::domain_tunable("phase2.division")], ", ", to_string(deployment), ", ",
       to_string(compaction), ", capacity ", tunables[device::shared_tunable("survivor-capacity")], ", work-groups of ",
       tunables[engine::domains::domain_tunable("phase1.work-group-size")], ", items ",
       tunables[engine::domains::domain_tunable("phase1.items")], ", vectors of 2^",
       tunables[engine::domains::domain_tunable("phase1.vector-width")]);
  engine::domains::DomainSearch device(test_device(), tunables, deployment, compaction);
  for (int run = 0; run < 2; ++run) { // nothing may be left from the run before
    device.reset_stages();
    engine::domains::PhaseTrace trace;
    CHECK(device.search(expected.batch, &trace) == expected.candidates);
    if (deployment == Deployment::three) {
      CHECK(trace.domains == expected.trace.domains);
      CHECK(trace.sub_domains == expected.trace.sub_domains);
    }
    const engine::Stage phase1 = engine::stage(device.stages(), "phase1");
    const engine::Stage phase2 = engine::stage(device.stages(), "phase2");
    const engine::Stage phase3 = engine::stage(device.stages(), "phase3");
    CHECK(phase1.tested == expected.batch.domain_count());
    CHECK(phase1.kept == expected.trace.domains.size());
    CHECK(phase2.tested == expected.trace.domains.size() << expected.batch.parameters.split_bits);
    CHECK(phase2.kept == expected.trace.sub_domains.size());
    CHECK(phase3.tested == expected.trace.sub_domains.size());
    CHECK(phase3.kept == expected.candidates.size());
  }
}

device::Tunables with_divisions(engine::domains::Division first, engine::domains::Division second) {
  device::Tunables tunables;
  tunables.set(engine::domains::domain_tunable("phase1.division"), static_cast<std::int64_t>(first));
  tunables.set(engine::domains::domain_tunable("phase2.division"), static_cast<std::int64_t>(second));
  return tunables;
}

std::vector<engine::domains::Division> dividing() {
  std::vector<engine::domains::Division> result{engine::domains::Division::native, engine::domains::Division::hybrid,
                                                engine::domains::Division::reciprocal};
  if (test_device().has_fp64()) {
    result.push_back(engine::domains::Division::double_lengths);
    result.push_back(engine::domains::Division::double_reciprocal);
  }
  return result;
}

// The sum of the quotients of a and 1 − a until `size` points are placed.
std::uint64_t subtractions(std::uint64_t a, std::uint64_t size) {
  std::uint64_t p = a;
  std::uint64_t q = -a;
  std::uint64_t u = 1;
  std::uint64_t v = 1;
  std::uint64_t sum = 0;
  while (p != 0 && u + v < size) {
    const std::uint64_t quotient = q / p;
    q %= p;
    u += quotient * v;
    sum += quotient;
    std::swap(p, q);
    std::swap(u, v);
  }
  return p == 0 ? ~std::uint64_t(0) : sum;
}

// Domains without curvature and slopes on which subtraction alone ends soon, both random. All arguments of the first
// domain are candidates.
engine::domains::DomainBatch straight_batch(engine::domains::Test test, int domain_bits, int split_bits, int bits,
                                            std::uint32_t domains) {
  engine::domains::DomainBatch batch;
  engine::domains::BatchParameters& parameters = batch.parameters;
  parameters.test = test;
  parameters.domain_bits = domain_bits;
  parameters.split_bits = split_bits;
  parameters.offset3 = std::uint64_t(1) << (64 - bits);
  parameters.offset2 = parameters.offset3 + 1000;
  parameters.offset1 = parameters.offset2 + 1000;
  // The last domain reaches beyond.
  parameters.argument_limit = (std::uint64_t(domains) << domain_bits) - 5;
  std::mt19937_64 random(static_cast<unsigned>(domain_bits));
  while (batch.lines.size() < domains) {
    const bool first = batch.lines.empty();
    const std::uint64_t slope = first ? (parameters.offset3 >> domain_bits) - 12345 : random();
    if (!first && subtractions(-slope, 2 << domain_bits) > 100000)
      continue;
    batch.lines.push_back(first ? 0 : random());
    batch.slopes.push_back(slope);
    batch.curvatures.push_back(0);
  }
  return batch;
}

} // namespace

TEST_CASE("variants: every test with every division keeps what the host keeps") {
  // Tries every pair of a test and a division at least once, in phase 1, phase 2 or one kernel, because building takes
  // the time.
  const std::vector<engine::domains::Division> divisions = dividing();
  for (const engine::domains::Test test : tests) {
    for (std::size_t i = 0; i < divisions.size(); ++i) {
      const std::size_t turn = i + static_cast<std::size_t>(test);
      const engine::domains::Division first = divisions[i];
      if (turn % 2 == 0) { // one kernel has one division
        const BatchAnswer at_once(engine::domains::self_test_batch(test, engine::domains::length_bits(first),
                                                                   engine::domains::length_bits(first)));
        compare(at_once, with_divisions(first, first), Deployment::one, Compaction::automatic);
        continue;
      }
      const engine::domains::Division second = divisions[(i + 1) % divisions.size()];
      const BatchAnswer phases(engine::domains::self_test_batch(test, engine::domains::length_bits(first),
                                                                engine::domains::length_bits(second)));
      compare(phases, with_divisions(first, second), Deployment::three,
              turn % 4 == 1 ? Compaction::atomic : Compaction::scan);
    }
  }
}

TEST_CASE("variants: subtraction alone, and LOGMS from one end to the other") {
  for (const engine::domains::Test test : tests) {
    const BatchAnswer expected(straight_batch(test, 6, 2, 11, 200));
    compare(expected, with_divisions(engine::domains::Division::subtract, engine::domains::Division::subtract),
            Deployment::three, Compaction::atomic);
    compare(expected, with_divisions(engine::domains::Division::subtract, engine::domains::Division::subtract),
            Deployment::one, Compaction::automatic);
    device::Tunables tunables = with_divisions(engine::domains::Division::hybrid, engine::domains::Division::hybrid);
    tunables.set(engine::domains::domain_tunable("phase1.logms"), static_cast<int>(test) % 2 == 0 ? 0 : 64);
    tunables.set(engine::domains::domain_tunable("phase2.logms"),
                 64 - tunables[engine::domains::domain_tunable("phase1.logms")]);
    compare(expected, tunables, Deployment::three, Compaction::scan);
  }
}

TEST_CASE("variants: lists that overflow, down to one place") {
  for (const engine::domains::Test test : {engine::domains::Test::regular, engine::domains::Test::lefevre_swap}) {
    const BatchAnswer expected(straight_batch(test, 4, 1, 7, 300));
    // One domain has more candidates than the capacity: then one kernel hands over to three.
    REQUIRE(std::count_if(expected.candidates.begin(), expected.candidates.end(),
                          [](std::uint64_t argument) { return argument < 16; }) == 16);
    REQUIRE(expected.candidates.size() > 30);
    for (const std::int64_t capacity : {1, 2, 7}) {
      device::Tunables tunables;
      tunables.set(device::shared_tunable("survivor-capacity"), capacity);
      for (const Compaction compaction : {Compaction::atomic, Compaction::scan})
        compare(expected, tunables, Deployment::three, compaction);
      compare(expected, tunables, Deployment::one, Compaction::scan);
    }
  }
}

TEST_CASE("variants: work-groups and items of odd sizes") {
  const BatchAnswer expected(engine::domains::self_test_batch(engine::domains::Test::lefevre, 64, 64));
  for (const std::int64_t size : {1, 3, 100, 128, 1024}) {
    device::Tunables tunables;
    tunables.set(engine::domains::domain_tunable("phase1.work-group-size"), size);
    tunables.set(engine::domains::domain_tunable("phase2.work-group-size"), size);
    compare(expected, tunables, Deployment::three, Compaction::scan);
  }
  for (const auto& [items, size] : {std::pair<std::int64_t, std::int64_t>{3, 1}, {16, 7}, {3, 128}}) {
    device::Tunables tunables;
    tunables.set(engine::domains::domain_tunable("phase1.work-group-size"), size);
    tunables.set(engine::domains::domain_tunable("phase1.items"), items);
    tunables.set(engine::domains::domain_tunable("phase2.work-group-size"), size);
    tunables.set(engine::domains::domain_tunable("phase2.items"), items + 1);
    compare(expected, tunables, Deployment::three, size == 7 ? Compaction::atomic : Compaction::scan);
    compare(expected, tunables, Deployment::one, Compaction::automatic);
  }
}

TEST_CASE("variants: explicit vectors of every width") {
  if (!test_device().has_fp64())
    return;
  struct Build {
    engine::domains::Test test;
    engine::domains::Division division;
    std::int64_t bits; // the width in phase 1
  };
  for (const auto& [test, division, bits] :
       {Build{engine::domains::Test::regular, engine::domains::Division::double_lengths, 1},
        {engine::domains::Test::regular, engine::domains::Division::double_reciprocal, 2},
        {engine::domains::Test::lefevre, engine::domains::Division::double_lengths, 3},
        {engine::domains::Test::lefevre, engine::domains::Division::double_reciprocal, 4}}) {
    // With 203 domains the last vector is not full.
    const BatchAnswer curved(engine::domains::self_test_batch(test, 52, 52));
    engine::domains::DomainBatch odd = straight_batch(test, 6, 2, 11, 203);
    odd.parameters.length_bits1 = 52;
    odd.parameters.length_bits2 = 52;
    const BatchAnswer straight(std::move(odd));
    device::Tunables tunables = with_divisions(division, division);
    tunables.set(engine::domains::domain_tunable("phase1.vector-width"), bits);
    tunables.set(engine::domains::domain_tunable("phase2.vector-width"), 5 - bits);
    compare(curved, tunables, Deployment::three, bits % 2 == 0 ? Compaction::atomic : Compaction::scan);
    tunables.set(device::shared_tunable("survivor-capacity"), 7);
    tunables.set(engine::domains::domain_tunable("phase1.items"), 3);
    tunables.set(engine::domains::domain_tunable("phase2.items"), 2);
    tunables.set(engine::domains::domain_tunable("phase1.work-group-size"), 5);
    compare(straight, tunables, Deployment::three, bits % 2 == 0 ? Compaction::scan : Compaction::atomic);
  }
}

} // namespace tmd::test
