// Parts of which whole searches in tests are made: a task, the test device that does it, and workers without OpenCL.
#pragma once

#include "device.hpp"
#include "host/engine/domains/engine.hpp"
#include "host/engine/domains/reference.hpp"
#include "host/engine/domains/self_test.hpp"
#include "host/engine/domains/tunables.hpp"
#include "host/engine/registry.hpp"
#include "host/engine/self_test.hpp"
#include "host/engine/wide/engine.hpp"
#include "host/engine/wide/reference.hpp"
#include "host/engine/wide/self_test.hpp"
#include "host/function/catalogue.hpp"
#include "host/search/device_worker.hpp"
#include "host/search/search.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::test {

// A search: its job, and how it is searched.
struct Task : job::Job {
  Choices choices;
  device::Costs costs;
  // The engines that may be used: only the existence tests, unless an algorithm is named.
  std::vector<const engine::EngineKind*> kinds{&engine::domains::domain_engine};

  [[nodiscard]] engine::EngineSettings settings(const device::Tunables& tunables = {},
                                                unsigned host_threads = 1) const {
    return {choices, tunables, costs, host_threads};
  }
};

// The task with an algorithm as --algorithm names it: "auto" chooses among all engines.
inline void set_algorithm(Task& task, std::string_view name) {
  task.choices.algorithm = name;
  task.kinds.assign(engine::engines().begin(), engine::engines().end());
}

// The task with the wide test wherever that can be used.
inline Task widely(Task task, std::optional<int> group_bits = {}) {
  set_algorithm(task, "wide");
  task.choices.domain_bits = group_bits;
  return task;
}

// With these costs the planner prefers the existence tests to exhaustive search, and that to MPFR, even for a small
// gain.
inline device::Costs test_eagerly() {
  device::Costs costs;
  costs.set(engine::domains::domain_cost("argument"), 1000);
  costs.set(device::shared_cost("confirmation"), 1e7);
  return costs;
}

// Small domains, whatever the cost model says, so that the tested domains can be counted.
inline Task small_domains(Task task, int domain_bits) {
  task.costs = test_eagerly();
  task.choices.algorithm = "regular";
  task.choices.domain_bits = domain_bits;
  task.choices.split_bits = 2;
  return task;
}

inline result::SearchResult run_search_on(const Task& task, std::unique_ptr<searches::Worker> worker,
                                          const searches::SearchHooks& hooks = {}) {
  return searches::run_search(task, std::span(&worker, 1), hooks);
}

// The test device with both engines, for many searches one after the other. Like a DeviceWorker's engines they test
// themselves before use, but only once.
class TestDevice {
public:
  explicit TestDevice(const device::Tunables& tunables = {}, Deployment deployment = Deployment::three,
                      Compaction compaction = Compaction::automatic)
      : launcher_(std::make_shared<engine::Launcher>(
            test_device(), static_cast<std::uint32_t>(tunables[device::shared_tunable("survivor-capacity")]))),
        domains_(launcher_, tunables, deployment, compaction), wide_(launcher_, tunables, compaction) {}

  [[nodiscard]] const opencl::DeviceDescription& device() const { return launcher_->device(); }
  [[nodiscard]] const device::Tunables& tunables() const { return domains_.tunables(); }
  [[nodiscard]] Deployment deployment() const { return domains_.deployment(); }
  [[nodiscard]] Compaction compaction() const { return domains_.compaction(); }
  void check_all_polynomials(bool all) {
    domains_.coefficients().check_all(all);
    wide_.records().check_all(all);
  }

  // The settings of a task on this device.
  [[nodiscard]] engine::EngineSettings settings(const Task& task) const {
    engine::EngineSettings settings = task.settings(tunables());
    if (settings.choices.polynomials == Polynomials::automatic) // the same on every device: domains are counted
      settings.choices.polynomials = Polynomials::host;
    return settings;
  }

  [[nodiscard]] engine::domains::DomainEngine::Search search_domains() {
    return [this](const engine::domains::DomainBatch& batch, const engine::Interrupt& interrupt) {
      if (const engine::domains::Test test = batch.parameters.test; trusted_.insert(test).second)
        engine::self_test::require(device(), engine::domains::self_test_failure(domains_, test));
      return counted(domains_, [&] { return domains_.search(batch, nullptr, interrupt); });
    };
  }
  [[nodiscard]] engine::wide::WideEngine::Search search_widely() {
    return [this](const engine::wide::WideBatch& batch, const engine::Interrupt& interrupt) {
      if (!std::exchange(trusted_widely_, true))
        engine::self_test::require(device(), engine::wide::wide_self_test_failure(wide_));
      return counted(wide_, [&] { return wide_.search(batch, interrupt); });
    };
  }

  // A worker with the task's engines, one of which searches by the given function. It must not outlive the device, and
  // only one worker of a device may be at work.
  [[nodiscard]] std::unique_ptr<searches::Worker>
  worker(const Task& task, engine::domains::DomainEngine::Search domains, engine::wide::WideEngine::Search widely) {
    const engine::EngineSettings all = settings(task);
    std::vector<std::unique_ptr<engine::Engine>> serving;
    for (const engine::EngineKind* kind : engine::engines_for(task.choices.algorithm, task.kinds))
      if (kind == &engine::wide::wide_engine)
        serving.push_back(std::make_unique<engine::wide::WideEngine>(engine::wide::wide_options(all),
                                                                     wide_.batch_sub_intervals(), widely));
      else if (kind == &engine::domains::domain_engine)
        serving.push_back(std::make_unique<engine::domains::DomainEngine>(
            engine::domains::domain_options(all),
            engine::domains::DomainLimits{domains_.coefficients().most_domains(), all.host_threads}, domains));
      else // the engines that search on the host
        serving.push_back(kind->open(launcher_, all));
    return std::make_unique<searches::DeviceWorker>(std::move(serving), all.choices, all.costs, all.host_threads);
  }
  [[nodiscard]] std::unique_ptr<searches::Worker> worker(const Task& task) {
    return worker(task, search_domains(), search_widely());
  }

  [[nodiscard]] result::SearchResult run(const Task& task) { return run_search_on(task, worker(task)); }

private:
  template <typename DeviceSearch, typename Body>
  static engine::BatchResult counted(DeviceSearch& search, const Body& candidates) {
    search.reset_stages();
    engine::BatchResult result;
    result.candidates = candidates();
    result.stages = search.stages();
    return result;
  }

  std::shared_ptr<engine::Launcher> launcher_;
  engine::domains::DomainSearch domains_;
  engine::wide::WideSearch wide_;
  std::set<engine::domains::Test> trusted_;
  bool trusted_widely_ = false;
};

// Searches the phases on the host, with the counts of a device.
inline engine::BatchResult search_domains_on_host(const engine::domains::DomainBatch& batch,
                                                  const engine::Interrupt& interrupt) {
  if (interrupt())
    throw Interrupted();
  engine::domains::PhaseTrace trace;
  engine::BatchResult result;
  result.candidates = engine::domains::search_on_host(batch, &trace);
  const auto count = [&](const engine::Stage& stage, std::uint64_t tested, std::uint64_t kept) {
    result.stages.push_back(stage);
    result.stages.back().tested = tested;
    result.stages.back().kept = kept;
    result.stages.back().seconds = 1e-3;
  };
  count(engine::domains::domain_stages[1], batch.domain_count(), trace.domains.size());
  count(engine::domains::domain_stages[2], trace.domains.size() << batch.parameters.split_bits,
        trace.sub_domains.size());
  count(engine::domains::domain_stages[3], trace.sub_domains.size(), result.candidates.size());
  return result;
}

// Evaluates every argument of the wide test's batches on the host.
inline engine::BatchResult search_widely_on_host(const engine::wide::WideBatch& batch,
                                                 const engine::Interrupt& interrupt) {
  if (interrupt())
    throw Interrupted();
  engine::BatchResult result;
  result.candidates = engine::wide::sweep_on_host(batch);
  result.stages.push_back(engine::wide::wide_stages[4]);
  result.stages.back().tested = batch.argument_limit;
  result.stages.back().kept = result.candidates.size();
  return result;
}

// A search by one engine, without a device; MPFR decides the arguments that it cannot search.
inline result::SearchResult search_by(std::unique_ptr<engine::Engine> engine, const Task& task) {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(std::move(engine));
  return run_search_on(task, std::make_unique<searches::DeviceWorker>(std::move(engines), task.choices, task.costs, 1));
}

// A device without OpenCL that has only the existence tests.
inline std::unique_ptr<searches::Worker>
host_worker(const Task& task, std::uint64_t batch_domains,
            const engine::domains::DomainEngine::Search& search = search_domains_on_host, unsigned host_threads = 1,
            unsigned planning_threads = 1) {
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(std::make_unique<engine::domains::DomainEngine>(
      engine::domains::domain_options(task.settings({}, host_threads)),
      engine::domains::DomainLimits{batch_domains, host_threads}, search));
  return std::make_unique<searches::DeviceWorker>(std::move(engines), task.choices, task.costs, host_threads,
                                                  planning_threads);
}

// The same with the wide test, and the existence tests where that cannot be used.
inline std::unique_ptr<searches::Worker> wide_host_worker(const Task& task, std::uint64_t batch_sub_intervals) {
  const engine::EngineSettings settings = task.settings();
  std::vector<std::unique_ptr<engine::Engine>> engines;
  engines.push_back(std::make_unique<engine::wide::WideEngine>(engine::wide::wide_options(settings),
                                                               batch_sub_intervals, search_widely_on_host));
  engines.push_back(std::make_unique<engine::domains::DomainEngine>(
      engine::domains::domain_options(settings), engine::domains::DomainLimits{64, 1}, search_domains_on_host));
  return std::make_unique<searches::DeviceWorker>(std::move(engines), task.choices, task.costs, 1);
}

// The moment at which a device fails: before it searches a batch, or with its answer at hand.
enum class Moment { before, after };

// A device's search of any kind of batch that fails at its batch number `at`, counted from 0.
template <typename BatchType>
std::function<engine::BatchResult(const BatchType&, const engine::Interrupt&)>
failing(std::function<engine::BatchResult(const BatchType&, const engine::Interrupt&)> search, std::uint64_t at,
        Moment moment, const std::string& why) {
  return [search = std::move(search), at, moment, why,
          done = std::uint64_t(0)](const BatchType& batch, const engine::Interrupt& interrupt) mutable {
    const bool fails = done++ == at;
    if (fails && moment == Moment::before)
      throw DeviceError(why);
    engine::BatchResult found = search(batch, interrupt);
    if (fails)
      throw DeviceError(why);
    return found;
  };
}

// Converts lists of cases from any container.
template <typename Left, typename Right> bool same(const Left& left, const Right& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](const Case& one, const Case& other) {
    return one.x == other.x && one.bits == other.bits && one.breakpoint == other.breakpoint && one.kind == other.kind;
  });
}

} // namespace tmd::test
