// The three kernels on a device against the same search on the host.
#include "device.hpp"
#include "host/engine/domains/engine.hpp"
#include "host/engine/domains/plan.hpp"
#include "host/engine/domains/reference.hpp"
#include "host/engine/domains/self_test.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/self_test.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"
#include "planted_error.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>

namespace tmd::test {

namespace {

struct Shape {
  const char* function;
  const char* from;
  const char* to;
  int bits;
  int domain_bits;
  int split_bits;
  std::uint64_t domains; // greatest number of the interval's domains; the last one is partial
  bool exhaustive = false;
};

engine::domains::DomainBatch make_batch(const Shape& shape) {
  const format::ArgumentSet set(find_format("binary64"), 53);
  const function::Function& f = function::find_function(shape.function);
  const auto first = set.parse(shape.from, "");
  const auto last =
      std::min(set.parse(shape.to, ""), first + static_cast<int128>(shape.domains << shape.domain_bits) - 3);
  const job::Piece piece = job::find_pieces(f, set, first, last).at(0);
  engine::domains::DomainOptions options;
  options.domain_bits = shape.domain_bits;
  options.split_bits = shape.split_bits;
  options.exhaustive_only = shape.exhaustive;
  options.costs.set(engine::domains::domain_cost("argument"), 1000); // so that no search is exhaustive
  options.costs.set(device::shared_cost("confirmation"), 1e7);       // or by MPFR alone
  const auto plan =
      engine::domains::DomainPlanner(polynomial::ScaledFunction(f, {Rounding::all, 53}, piece), shape.bits, options)
          .plan(0, piece.count);
  REQUIRE(plan);
  REQUIRE(plan->exhaustive == shape.exhaustive);
  REQUIRE(plan->domain_bits == shape.domain_bits);
  engine::domains::DomainBatch batch;
  batch.parameters = engine::domains::BatchParameters::of(*plan);
  batch.parameters.argument_limit = plan->count;
  const std::uint64_t domains = ((plan->count - 1) >> plan->domain_bits) + 1;
  batch.lines.resize(domains);
  batch.slopes.resize(domains);
  batch.curvatures.resize(domains);
  plan->polynomial->generate(0, domains, {batch.lines, batch.slopes, batch.curvatures});
  return batch;
}

// The host's findings, computed once for all settings of the device.
struct Expected {
  engine::domains::DomainBatch batch;
  engine::domains::PhaseTrace trace;
  std::vector<std::uint64_t> candidates;

  explicit Expected(const Shape& shape)
      : batch(make_batch(shape)), candidates(engine::domains::search_on_host(batch, &trace)) {}
};

void compare(const Expected& expected, engine::domains::DomainSearch& phases) {
  phases.reset_stages();
  engine::domains::PhaseTrace trace;
  const auto candidates = phases.search(expected.batch, &trace);
  CHECK(candidates == expected.candidates);
  const engine::Stage phase1 = engine::stage(phases.stages(), "phase1");
  const engine::Stage phase2 = engine::stage(phases.stages(), "phase2");
  const engine::Stage phase3 = engine::stage(phases.stages(), "phase3");
  CHECK(phase3.kept == expected.candidates.size());
  if (expected.batch.parameters.exhaustive) {
    CHECK(phase1.tested == 0);
    CHECK(phase3.tested == expected.batch.domain_count());
    return;
  }
  CHECK(trace.domains == expected.trace.domains);
  CHECK(trace.sub_domains == expected.trace.sub_domains);
  CHECK(phase1.tested == expected.batch.domain_count());
  CHECK(phase1.kept == expected.trace.domains.size());
  CHECK(phase2.tested == expected.trace.domains.size() << expected.batch.parameters.split_bits);
  CHECK(phase2.kept == expected.trace.sub_domains.size());
  CHECK(phase3.tested == expected.trace.sub_domains.size());
}

const Shape small_domains{"exp", "1", "2", 9, 4, 2, 300};
const Shape middle_domains{"sin", "-0x1.5p+0", "-1", 14, 8, 3, 150};
const Shape large_domains{"log", "0x1.83p+0", "2", 21, 15, 5, 600};
const Shape one_domain{"exp2", "0.5", "1", 13, 8, 3, 1};
const Shape every_argument{"cbrt", "1", "2", 11, 7, 1, 300, true};

// Prepares the engine as a search does before it trusts a device.
void test_itself(engine::domains::DomainSearch& device) {
  engine::self_test::require(device.device(),
                             engine::domains::self_test_failure(device, engine::domains::Test::regular));
}

// Enough survivors, and enough discarded, for a comparison to mean something.
void check_shape(const Expected& expected) {
  CHECK(expected.trace.domains.size() > 2);
  CHECK(expected.trace.sub_domains.size() > 2);
  CHECK(expected.candidates.size() > 3);
  CHECK(expected.trace.domains.size() < expected.batch.domain_count());
  CHECK(expected.trace.sub_domains.size() < expected.trace.domains.size() << expected.batch.parameters.split_bits);
}

} // namespace

TEST_CASE("phases: every shape of batch, with lists of every capacity") {
  std::vector<Expected> batches;
  for (const Shape& shape : {small_domains, middle_domains, large_domains, one_domain, every_argument})
    batches.emplace_back(shape);
  check_shape(batches[0]);
  check_shape(batches[1]);
  check_shape(batches[2]);
  CHECK(batches[3].batch.domain_count() == 1);
  CHECK(batches[4].candidates.size() > 20);
  for (const std::int64_t capacity : {1, 2, 7, 64, 1 << 20}) {
    device::Tunables tunables;
    tunables.set(device::shared_tunable("survivor-capacity"), capacity);
    engine::domains::DomainSearch phases(test_device(), tunables);
    for (const Expected& expected : batches) {
      if (capacity < 7 && &expected == &batches[2])
        continue; // some hundred thousand launches
      INFO("capacity ", capacity, ", N = 2^", expected.batch.parameters.domain_bits);
      compare(expected, phases);
      compare(expected, phases); // nothing may be left from the run before
    }
  }
}

TEST_CASE("phases: more candidates in one run than the capacity") {
  // Half of all arguments are candidates.
  Expected expected({"exp", "1", "2", 3, 8, 1, 20, true});
  CHECK(expected.candidates.size() > 800);
  for (const std::int64_t capacity : {1, 3, 50}) {
    device::Tunables tunables;
    tunables.set(device::shared_tunable("survivor-capacity"), capacity);
    engine::domains::DomainSearch phases(test_device(), tunables);
    compare(expected, phases);
  }
}

TEST_CASE("phases: every tunable") {
  const Expected small(small_domains);
  const Expected middle(middle_domains);
  const Expected tiny({"exp", "1", "2", 9, 4, 2, 40});
  const auto with = [&](std::initializer_list<std::pair<const char*, std::int64_t>> settings) {
    device::Tunables tunables;
    for (const auto& [name, value] : settings)
      engine::engine_tuning().set(tunables, name, std::to_string(value));
    engine::domains::DomainSearch phases(test_device(), tunables);
    CAPTURE(settings.begin()->first);
    CAPTURE(settings.begin()->second);
    compare(tiny, phases);
    if (tunables[engine::domains::domain_tunable("phase1.logms")] > 8)
      return; // with subtraction alone
    compare(small, phases);
    compare(middle, phases);
  };
  for (const std::int64_t size : {1, 3, 64, 1024})
    with({{"phase1.work-group-size", size}, {"phase2.work-group-size", size}, {"phase3.work-group-size", size}});
  for (const std::int64_t items : {2, 5, 64, 4096})
    with({{"phase1.items", items}, {"phase2.items", items}, {"phase1.work-group-size", 8}});
  for (const std::int64_t logms : {0, 1, 64})
    with({{"phase1.logms", logms}, {"phase2.logms", logms}});
  with({{"launch-milliseconds", 1}, {"phase1.items", 3}, {"survivor-capacity", 64}});
}

TEST_CASE("phases: a stop is asked for before every launch") {
  const Expected small(small_domains);
  engine::domains::DomainSearch phases(test_device(), device::Tunables());
  CHECK_THROWS_AS((void)phases.search(small.batch, nullptr, [] { return true; }), Interrupted);
  int asked = 0;
  CHECK(phases.search(small.batch, nullptr, [&] { return ++asked < 0; }) == small.candidates);
  CHECK(asked >= 3);
}

TEST_CASE("the self-test passes on this device, and notices planted errors") {
  {
    engine::domains::DomainSearch phases(test_device(), device::Tunables());
    CHECK_NOTHROW(test_itself(phases));
    CHECK(engine::stage(phases.stages(), "phase1").tested == 0); // a repeated launch leaves no trace in the counts
  }
  const engine::domains::DomainBatch batch = engine::domains::self_test_batch(engine::domains::Test::regular, 64, 64);
  engine::domains::PhaseTrace trace;
  CHECK(engine::domains::search_on_host(batch, &trace).size() > 5);
  CHECK(trace.domains.size() < batch.domain_count());
  CHECK(trace.sub_domains.size() < trace.domains.size() << batch.parameters.split_bits);

  struct Error {
    const char* file;
    const char* text;
    const char* replacement;
  };
  for (const Error& error :
       {Error{"domains/existence_regular.clh", "d >= bound", "d + d / 4 >= bound"},
        Error{"domains/division.clh", "denominator)) {\n    quotient = rest / denominator;",
              "denominator)) {\n    quotient = rest / denominator + 1;"},
        Error{"domains/phase1.cl", "position < count", "position < count && position % 32 != 7"},
        Error{"domains/phase2.cl", "(i64)(at & ", "(i64)((at ^ 1) & "},
        Error{"domains/refinement.clh", "scale + 4", "scale + 5"},
        Error{"domains/refinement.clh", "2 * start + 1 - last", "1 - last"},
        Error{"domains/phase3.cl", "t.value += offset", "t.value += offset / 2"},
        Error{"domains/phase3.cl", "argument + m + i < p.argument_limit", "argument + m + i < p.argument_limit / 2"},
        Error{"domains/phase1.cl", "= domain + LOWEST_BIT(keep)", "= domain - (slot == 5 ? domain & 1 : 0)"}}) {
    CAPTURE(std::string(error.replacement));
    const PlantedError planted(error.file, error.text, error.replacement);
    engine::domains::DomainSearch phases(test_device(), device::Tunables());
    CHECK_THROWS_AS(test_itself(phases), FaultError);
  }
  if (test_device().has_fp64())
    for (const Error& error :
         {Error{"common/vector.clh", "(vu64)(1) << lane_numbers()", "(vu64)(1) << min(lane_numbers(), (vu64)(2))"},
          Error{"domains/phase1.cl", "LOWEST_BIT(keep)", "0"},
          Error{"domains/existence_regular_double.clh", "SELECT(points - 1.0, points, in_second)", "points"},
          Error{"domains/existence_regular_double.clh", "u = SELECT(u, count, in_second);", "u = count;"},
          Error{"domains/phase2.cl", "index + LOWEST_BIT(keep)", "index"}}) {
      CAPTURE(std::string(error.replacement));
      const PlantedError planted(error.file, error.text, error.replacement);
      device::Tunables tunables;
      for (const char* name : {"phase1.division", "phase2.division"})
        engine::engine_tuning().set(tunables, name, "double");
      for (const char* name : {"phase1.vector-width", "phase2.vector-width"})
        engine::engine_tuning().set(tunables, name, "4");
      engine::domains::DomainSearch phases(test_device(), tunables);
      CHECK_THROWS_AS(test_itself(phases), FaultError);
    }
  {
    const PlantedError planted("domains/phase1.cl", "u32 keep = 0;", "u32 keep = nothing;");
    engine::domains::DomainSearch phases(test_device(), device::Tunables());
    try {
      test_itself(phases);
      FAIL("a kernel that does not compile was built");
    } catch (const DeviceError& error) {
      CHECK(std::string(error.what()).find("nothing") != std::string::npos); // the build log is shown
    }
  }
  ::setenv("TMD_KERNEL_PATH", "/nonexistent", 1);
  engine::domains::DomainSearch without_kernels(test_device(), device::Tunables());
  CHECK_THROWS_AS(test_itself(without_kernels), DeviceError);
  ::unsetenv("TMD_KERNEL_PATH");
}

TEST_CASE("phases: another compaction is tested when it is first used, before what it finds counts") {
  const engine::domains::DomainBatch batch = engine::domains::self_test_batch(engine::domains::Test::regular, 64, 64);
  const auto candidates = engine::domains::search_on_host(batch);
  engine::EngineSettings settings;
  const auto search = [&](std::int64_t scan_percent) {
    settings.tunables.set(engine::domains::domain_tunable("scan-percent"), scan_percent);
    const auto engine = engine::domains::domain_engine.open(
        std::make_shared<engine::Launcher>(test_device(), std::uint32_t(1) << 16), settings);
    return engine->search(batch, {}).candidates;
  };
  constexpr std::int64_t never = 1000;
  CHECK(search(never) == candidates);
  CHECK(search(0) == candidates);
  const PlantedError planted("domains/phase1.cl", "position < count",
                             "position < count && (TMD_COMPACTION == 1 || position % 32 != 7)");
  CHECK(search(never) == candidates);
  CHECK_THROWS_AS((void)search(0), DeviceError);
  settings.choices.test_all_kernels = true;
  CHECK_THROWS_AS((void)search(never), DeviceError);
}

TEST_CASE("macros out of range never reach a compiler") {
  const std::vector<opencl::Macro> good{{"A", 3, 1, 4}, {"B", -1, -1, 0}};
  CHECK(opencl::build_options(good) == "-DA=3 -DB=-1");
  const std::vector<opencl::Macro> bad{{"A", 5, 1, 4}};
  CHECK_THROWS_AS((void)opencl::build_options(bad), UsageError);
  device::Tunables tunables;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables()) {
    for (const std::int64_t value : {tunable.least, tunable.greatest}) {
      CHECK_NOTHROW(engine::engine_tuning().set(tunables, tunable.name, device::to_string(tunable, value)));
      CHECK(tunables[tunable] == value);
    }
    for (const std::string& bad_value :
         {std::to_string(tunable.least - 1), std::to_string(tunable.greatest + 1), std::string("x"), std::string()})
      CHECK_THROWS_AS(engine::engine_tuning().set(tunables, tunable.name, bad_value), UsageError);
  }
  CHECK_THROWS_AS(engine::engine_tuning().set(tunables, "phase4.items", "1"), UsageError);
}

} // namespace tmd::test
