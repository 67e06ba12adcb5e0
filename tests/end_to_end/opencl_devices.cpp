// Several devices of OpenCL in one search find what one finds.
#include "end_to_end/enumeration.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/engine/registry.hpp"

#include <memory>
#include <vector>

namespace tmd::test {

TEST_CASE("devices: two OpenCL devices with other divisions, batches, deployments and polynomials than each other") {
  device::Tunables tunables;
  TestDevice plain(tunables);
  tunables.set(device::shared_tunable("batch-domains"), 333);
  if (test_device().has_fp64()) // the ledger of this device's searches shows lengths of 52 bits
    for (const device::Tunable* division :
         {&engine::domains::domain_tunable("phase1.division"), &engine::domains::domain_tunable("phase2.division")})
      tunables.set(*division, static_cast<std::int64_t>(engine::domains::Division::double_reciprocal));
  tunables.set(engine::domains::domain_tunable("polynomials.packet-bits"), 5);
  TestDevice hybrid(tunables);
  tunables.set(device::shared_tunable("survivor-capacity"), 16);
  TestDevice one_kernel(tunables, Deployment::one);
  hybrid.check_all_polynomials(true);

  struct Slice {
    Task task;
    int domain_bits;
  };
  Task papers = make_task(known_exp, {"binary64", 53, -1022, 54, 1, 2}, Rounding::directed, 20);
  papers.last = papers.first + (1 << 24) + 12345;
  const Task many_pieces = make_task(known_exp2, {"p13", 13, -1022, 13, 0.75, 6}, Rounding::all, 5);
  for (const auto& [base, domain_bits] : {Slice{many_pieces, 5}, Slice{papers, 9}}) {
    const Task task = small_domains(base, domain_bits);
    const result::SearchResult one = plain.run(task);
    CHECK(one.cases.size() > 10);
    Task by_host = task;
    by_host.choices.polynomials = Polynomials::host;
    Task by_device = task;
    by_device.choices.polynomials = Polynomials::hybrid;
    if (test_device().has_fp64()) {
      CHECK(engine::domains::domain_options(plain.settings(by_host)).length_bits1 == 64);
      CHECK(engine::domains::domain_options(hybrid.settings(by_device)).length_bits1 == 52);
    }
    std::vector<std::unique_ptr<searches::Worker>> workers;
    workers.push_back(plain.worker(by_host));
    workers.push_back(hybrid.worker(by_device));
    workers.push_back(one_kernel.worker(by_device));
    const result::SearchResult result = searches::run_search(task, workers);
    CHECK(result.covered == task.range());
    CHECK(same(result.cases, one.cases));
    CHECK(same(result.exact, one.exact));
    CHECK(engine::stage(result.workers[0].stages, "polynomials_on_device").tested == 0);

    for (const std::uint64_t at : {0, 1, 4}) {
      workers[1] = hybrid.worker(by_device, failing(hybrid.search_domains(), at, Moment::after, "lost"), {});
      workers[2] = one_kernel.worker(by_device, failing(one_kernel.search_domains(), at, Moment::before, "lost"), {});
      const result::SearchResult rest = searches::run_search(task, workers);
      CHECK(rest.covered == task.range());
      CHECK(same(rest.cases, one.cases));
      CHECK(same(rest.exact, one.exact));
    }
  }
}

TEST_CASE("devices: all that this machine has find what each finds alone") {
  // One piece in parts has 2^22 arguments and a few.
  const Task task = small_domains(
      make_task(known_exp, {"binary64", 53, -1022, 53, 1, 1 + std::ldexp(4194304.0 + 77, -52)}, Rounding::all, 12), 9);
  const result::SearchResult expected = run_search_on(task, host_worker(task, 512));
  REQUIRE(expected.covered == task.range());
  REQUIRE(expected.cases.size() > 100);
  std::vector<std::unique_ptr<searches::Worker>> workers;
  for (const opencl::DeviceDescription& description : opencl::list_devices()) {
    if (!description.why_unusable().empty())
      continue;
    engine::EngineSettings settings = task.settings(engine::engine_tuning().default_tunables(description));
    settings.choices.polynomials = Polynomials::host;
    workers.push_back(std::make_unique<searches::DeviceWorker>(description, settings));
    const result::SearchResult alone = searches::run_search(task, std::span(&workers.back(), 1));
    CHECK(alone.covered == task.range());
    CHECK(same(alone.cases, expected.cases));
  }
  MESSAGE(workers.size(), " devices at once");
  const result::SearchResult result = searches::run_search(task, workers);
  CHECK(result.covered == task.range());
  CHECK(same(result.cases, expected.cases));
  CHECK(same(result.exact, expected.exact));
}

TEST_CASE("devices: several queues of one find what one finds") {
  Task task = make_task(known_exp, {"binary64", 53, -1022, 53, 1, 1 + std::ldexp(1.0, -14)}, Rounding::all, 33);
  Task walked =
      make_task(known_sin, {"p16", 16, -1022, 16, std::ldexp(1.0, 60), std::ldexp(1.0, 61)}, Rounding::all, 9);
  for (Task* one : {&task, &walked}) {
    set_algorithm(*one, "auto");
    device::Tunables tunables = engine::engine_tuning().default_tunables(test_device());
    tunables.set(device::shared_tunable("batch-domains"), 1 << 10);
    const auto cases_of = [&](std::int64_t queues) {
      tunables.set(device::shared_tunable("queues"), queues);
      engine::EngineSettings settings = one->settings(tunables);
      settings.choices.polynomials = Polynomials::hybrid;
      settings.planning_threads = 2;
      const result::SearchResult result =
          run_search_on(*one, std::make_unique<searches::DeviceWorker>(test_device(), settings, one->kinds));
      CHECK(result.covered == one->range());
      return result.cases;
    };
    const auto expected = cases_of(1);
    CHECK(expected.size() > 10);
    for (const std::int64_t queues : {2, 4})
      CHECK(same(cases_of(queues), expected));
  }
}

} // namespace tmd::test
