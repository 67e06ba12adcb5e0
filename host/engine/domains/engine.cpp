// The engine for domains on a device. Each test with its compaction passes a self-test before its results count, and
// cases are planted in its batches (TrustedSearch).
#include "engine/domains/engine.hpp"

#include "engine/arithmetic_test.hpp"
#include "engine/domains/plants.hpp"
#include "engine/domains/self_test.hpp"
#include "engine/self_test.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::domains {

DomainEngine::DomainEngine(DomainOptions options, const DomainLimits& limits, Search search, Ahead ahead)
    : options_(std::move(options)), limits_(limits), search_(std::move(search)), ahead_(std::move(ahead)) {
  if (!options_.test && !options_.exhaustive_only && !options_.feedback)
    options_.feedback = std::make_shared<SurvivorFeedback>();
}

std::unique_ptr<Planner> DomainEngine::planner(const job::Job& job, const Field& field) {
  if (field.values() == nullptr)
    return nullptr;
  return std::make_unique<DomainPlanner>(polynomial::ScaledFunction(*job.function, job.grid(), field.piece()), job.K,
                                         options_, limits_);
}

void DomainEngine::prepare() {
  if (ahead_)
    ahead_(nullptr);
}

void DomainEngine::expect(const Batch& batch) {
  if (ahead_)
    ahead_(&dynamic_cast<const DomainBatch&>(batch));
}

BatchResult DomainEngine::search(const Batch& batch, const Interrupt& interrupt) {
  const auto& domains = dynamic_cast<const DomainBatch&>(batch);
  BatchResult result = search_(domains, interrupt);
  result.max_distance = domains.parameters.max_distance;
  for (std::uint64_t& candidate : result.candidates)
    candidate += static_cast<std::uint64_t>(domains.first_argument);
  if (const BatchParameters& p = domains.parameters; options_.feedback && !p.exhaustive) {
    const Stage phase1 = stage(result.stages, domain_stages[1].name);
    options_.feedback->observe(p.test, p.survivor_share, phase1.tested, phase1.kept);
  }
  return result;
}

namespace {

// Batches on a device that tests itself with every test before it is used: with the compaction that it begins with, and
// with another one when that has been used for the first time, before its results count.
class TrustedSearch {
public:
  TrustedSearch(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings)
      : search_(launcher, settings.tunables, settings.choices.deployment, settings.choices.compaction),
        planting_(search_), test_all_(settings.choices.test_all_kernels), warn_(settings.warn) {
    search_.coefficients().check_all(settings.choices.check_all_polynomials);
  }

  [[nodiscard]] std::uint64_t batch_domains() const { return search_.coefficients().most_domains(); }

  // Builds in other processes, while the device works for other engines.
  void build_ahead(const DomainOptions& options, const DomainBatch* batch) {
    if (!search_.device().builders)
      return;
    if (batch != nullptr)
      return search_.coefficients().build_ahead(*batch);
    build_arithmetic_ahead(*search_.launcher(), uses_fp64() ? arithmetic_in_fp64() : ArithmeticProgram());
    search_.build_ahead(options.test.value_or(Test::regular));
  }

  BatchResult operator()(const DomainBatch& batch, const Interrupt& interrupt) {
    if (std::exchange(is_new_, false))
      test_arithmetic();
    if (uses_fp64() || std::min(batch.parameters.length_bits1, batch.parameters.length_bits2) == full_length_bits)
      return search_trusted(batch, interrupt);
    // It was planned for shorter lengths, whose larger bounds hold for these, too.
    DomainBatch without = batch;
    without.parameters.length_bits1 = full_length_bits;
    without.parameters.length_bits2 = full_length_bits;
    return search_trusted(without, interrupt);
  }

private:
  static constexpr int full_length_bits = 64;

  BatchResult search_trusted(const DomainBatch& batch, const Interrupt& interrupt) {
    const Test test = batch.parameters.test;
    const bool chooses = search_.compaction() == Compaction::automatic;
    trust(test, chooses ? Compaction::atomic : search_.compaction());
    if (chooses && test_all_)
      trust(test, Compaction::scan);
    BatchResult result = planting_.search(batch, interrupt);
    if (search_.kernels().has_scanned())
      trust(test, Compaction::scan);
    return result;
  }

  [[nodiscard]] bool uses_fp64() const { return search_.tunables() != without_fp64(search_.tunables()); }

  // If a device's FP64 is not what OpenCL requires, as when fma rounds twice, the tests do without it.
  void test_arithmetic() {
    self_test::require(search_.device(), arithmetic_failure(*search_.launcher(),
                                                            uses_fp64() ? arithmetic_in_fp64() : ArithmeticProgram()));
    const std::string wrong = uses_fp64() ? fp64_failure(*search_.launcher()) : "";
    if (wrong.empty())
      return;
    search_.kernels().do_without_fp64();
    if (warn_)
      warn_(fmt::format("device {} ({}) does not compute in FP64 as OpenCL asks for ({}): its tests divide integers "
                        "instead, which may be slower",
                        search_.device().index, search_.device().name, wrong));
  }

  void trust(Test test, Compaction compaction) {
    if (trusted_.contains({test, compaction}))
      return;
    const Compaction asked = search_.compaction();
    search_.set_compaction(compaction);
    self_test::require(search_.device(), self_test_failure(search_, test));
    search_.set_compaction(asked);
    trusted_.emplace(test, compaction);
  }

  DomainSearch search_;
  PlantingDomains planting_;
  bool test_all_;
  std::function<void(const std::string&)> warn_;
  bool is_new_ = true;
  std::set<std::pair<Test, Compaction>> trusted_;
};

std::unique_ptr<Engine> open_domains(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings) {
  const auto search = std::make_shared<TrustedSearch>(launcher, settings);
  const DomainOptions options = domain_options(settings);
  return std::make_unique<DomainEngine>(
      options, DomainLimits{search->batch_domains(), settings.host_threads},
      [search](const DomainBatch& batch, const Interrupt& interrupt) { return (*search)(batch, interrupt); },
      [search, options](const DomainBatch* batch) { search->build_ahead(options, batch); });
}

std::unique_ptr<Engine> open_to_plan(const EngineSettings& settings) {
  return std::make_unique<DomainEngine>(domain_options(settings), DomainLimits{}, DomainEngine::Search());
}

} // namespace

const EngineKind domain_engine{.name = DomainEngine::engine_name,
                               .algorithms = domain_methods,
                               .stages = domain_stages,
                               .open = open_domains,
                               .open_to_plan = open_to_plan,
                               .trial = {"exp", "1", "0x1.00000001p+0", "binary64", 20},
                               .tuning = domain_tuning};

} // namespace tmd::engine::domains
