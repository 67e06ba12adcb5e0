#include "engine/domains/engine.hpp"

#include "engine/arithmetic_test.hpp"
#include "engine/domains/self_test.hpp"
#include "engine/self_test.hpp"

#include <set>
#include <utility>

namespace tmd {

DomainEngine::DomainEngine(DomainOptions options, const DomainLimits& limits, Search search)
    : options_(std::move(options)), limits_(limits), search_(std::move(search)) {
  if (!options_.test && !options_.exhaustive_only && !options_.feedback)
    options_.feedback = std::make_shared<SurvivorFeedback>();
}

std::unique_ptr<Planner> DomainEngine::planner(const Job& job, const Field& field) {
  if (!field.values)
    return nullptr;
  return std::make_unique<DomainPlanner>(ScaledFunction(*job.function, job.grid(), field.piece()), job.bits, options_,
                                         limits_);
}

BatchResult DomainEngine::search(const Batch& batch, const Interrupt& interrupt) {
  const auto& domains = dynamic_cast<const DomainBatch&>(batch);
  BatchResult result = search_(domains, interrupt);
  result.reach = domains.parameters.reach;
  for (std::uint64_t& candidate : result.candidates)
    candidate += static_cast<std::uint64_t>(domains.first_argument);
  if (const BatchParameters& p = domains.parameters; options_.feedback && !p.exhaustive) {
    const Stage phase1 = stage(result.stages, domain_stages[1].name);
    options_.feedback->observe(p.test, p.survivor_share, phase1.tested, phase1.kept);
  }
  return result;
}

namespace {

// Batches on a device that tests itself with every test before it uses it; with the compaction that it begins with,
// and with another when that has been used for the first time, before anything that was found so counts.
class TrustedSearch {
public:
  TrustedSearch(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings)
      : search_(launcher, settings.tunables, settings.choices.deployment, settings.choices.compaction),
        test_all_(settings.choices.test_all_kernels) {
    search_.check_all_polynomials(settings.choices.check_all_polynomials);
  }

  [[nodiscard]] std::uint64_t batch_domains() const { return search_.batch_domains(); }

  BatchResult operator()(const DomainBatch& batch, const Interrupt& interrupt) {
    const Test test = batch.parameters.test;
    const bool chooses = search_.compaction() == Compaction::automatic;
    trust(test, chooses ? Compaction::atomic : search_.compaction());
    if (chooses && test_all_)
      trust(test, Compaction::scan);
    search_.reset_stages();
    BatchResult result;
    result.candidates = search_.search(batch, nullptr, interrupt);
    result.stages = search_.stages();
    if (search_.has_scanned())
      trust(test, Compaction::scan);
    return result;
  }

private:
  [[nodiscard]] bool uses_fp64() const {
    const Tunables& tunables = search_.tunables();
    return length_bits(static_cast<Division>(tunables.phase1_division)) < 64 ||
           length_bits(static_cast<Division>(tunables.phase2_division)) < 64;
  }

  void trust(Test test, Compaction compaction) {
    if (trusted_.contains({test, compaction}))
      return;
    if (trusted_.empty())
      self_test::require(search_.device(), arithmetic_failure(*search_.launcher(), uses_fp64()));
    const Compaction asked = search_.compaction();
    search_.set_compaction(compaction);
    search_.audit(false); // the self-test has a known answer
    self_test::require(search_.device(), self_test_failure(search_, test));
    search_.audit(true);
    search_.set_compaction(asked);
    trusted_.emplace(test, compaction);
  }

  DomainSearch search_;
  bool test_all_;
  std::set<std::pair<Test, Compaction>> trusted_;
};

std::unique_ptr<Engine> open_domains(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings) {
  const auto search = std::make_shared<TrustedSearch>(launcher, settings);
  return std::make_unique<DomainEngine>(
      domain_options(settings), DomainLimits{search->batch_domains(), settings.host_threads},
      [search](const DomainBatch& batch, const Interrupt& interrupt) { return (*search)(batch, interrupt); });
}

std::unique_ptr<Engine> open_to_plan(const EngineSettings& settings) {
  return std::make_unique<DomainEngine>(domain_options(settings), DomainLimits{}, DomainEngine::Search());
}

} // namespace

const EngineKind domain_engine{
    DomainEngine::engine_name, domain_methods, domain_stages, nullptr, open_domains, open_to_plan};

} // namespace tmd
