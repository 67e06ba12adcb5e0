#include "engine/wide/engine.hpp"

#include "engine/arithmetic_test.hpp"
#include "engine/self_test.hpp"
#include "engine/wide/plants.hpp"
#include "engine/wide/self_test.hpp"
#include "opencl/drivers.hpp"
#include "tmd/error.hpp"

#include <atomic>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::wide {

WideEngine::WideEngine(WideOptions options, std::uint64_t batch_sub_intervals, Search search,
                       std::function<void()> expect)
    : options_(std::move(options)), batch_sub_intervals_(batch_sub_intervals), search_(std::move(search)),
      expect_(std::move(expect)) {}

void WideEngine::prepare() {
  if (expect_)
    expect_();
}

void WideEngine::expect(const Batch& /*batch*/) { prepare(); }

std::unique_ptr<Planner> WideEngine::planner(const job::Job& job, const Field& field) {
  if (field.values() == nullptr)
    return nullptr;
  return std::make_unique<WidePlanner>(polynomial::ScaledFunction(*job.function, job.grid(), field.piece()), job.K,
                                       options_, batch_sub_intervals_);
}

BatchResult WideEngine::search(const Batch& batch, const Interrupt& interrupt) {
  const auto& groups = dynamic_cast<const WideBatch&>(batch);
  BatchResult result = search_(groups, interrupt);
  result.max_distance = groups.parameters.max_distance;
  std::vector<std::vector<std::uint64_t>> by_run = indices_by_run(groups, result.candidates);
  result.candidates = std::move(by_run.front());
  by_run.erase(by_run.begin());
  result.of_joined = std::move(by_run);
  return result;
}

namespace {

// Batches on a device that tests itself before it is used. The kernels for refused parts, which most searches never
// need, are tested when they have been used for the first time, before their results count.
class TrustedSearch {
public:
  TrustedSearch(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings)
      : search_(launcher, settings.tunables, settings.choices.compaction), planting_(search_),
        test_all_(settings.choices.test_all_kernels),
        builds_refused_(!settings.choices.is_short && launcher->device().is_gpu) {
    search_.records().check_all(settings.choices.check_all_polynomials);
    // Otherwise PoCL's compiler takes seconds; for GPUs it makes no difference.
    search_.build_quickly(settings.choices.is_short && opencl::is_pocl(launcher->device().platform));
  }

  void expect() {
    if (expected_.exchange(true))
      return;
    search_.build_ahead();
    if (builds_refused_)
      search_.build_refused_ahead();
  }

  [[nodiscard]] std::uint64_t batch_sub_intervals() const { return search_.batch_sub_intervals(); }

  BatchResult operator()(const WideBatch& batch, const Interrupt& interrupt) {
    constexpr std::uint64_t most_quickly = std::uint64_t(1) << 20; // a tenth of a second on two CPU cores
    groups_ += batch.groups();
    if (search_.builds_quickly() && groups_ > most_quickly) {
      search_.build_quickly(false);
      planting_.forget();
      trusted_.clear();
    }
    trust(WideSelfTest::groups);
    if (test_all_)
      trust(WideSelfTest::refused);
    BatchResult result = planting_.search(batch, interrupt);
    if (stage(result.stages, wide_stages[2].name).tested > 0 || stage(result.stages, wide_stages[3].name).tested > 0)
      trust(WideSelfTest::refused);
    return result;
  }

private:
  void trust(WideSelfTest what) {
    if (trusted_.contains(what))
      return;
    if (trusted_.empty()) {
      search_.build_ahead();
      self_test::require(search_.device(),
                         arithmetic_failure(*search_.launcher(), {wide_scalar_program, {}, search_.build_options()}));
    }
    self_test::require(search_.device(), wide_self_test_failure(search_, what));
    trusted_.insert(what);
  }

  WideSearch search_;
  PlantingGroups planting_;
  bool test_all_;
  bool builds_refused_; // whether they are built before they are needed
  std::atomic<bool> expected_ = false;
  std::uint64_t groups_ = 0;       // searched so far
  std::set<WideSelfTest> trusted_; // tests passed by the kernels in use
};

std::unique_ptr<Engine> open_wide(const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings) {
  if (const std::string why = why_no_wide_test(launcher->device()); !why.empty()) {
    if (settings.choices.algorithm != wide_methods[0])
      return nullptr;
    throw DeviceError(fmt::format("device {} ({}) cannot run the wide test: {}", launcher->device().index,
                                  launcher->device().name, why));
  }
  const auto search = std::make_shared<TrustedSearch>(launcher, settings);
  return std::make_unique<WideEngine>(
      wide_options(settings), search->batch_sub_intervals(),
      [search](const WideBatch& batch, const Interrupt& interrupt) { return (*search)(batch, interrupt); },
      [search] { search->expect(); });
}

std::unique_ptr<Engine> open_to_plan(const EngineSettings& settings) {
  return std::make_unique<WideEngine>(wide_options(settings), 1, WideEngine::Search());
}

} // namespace

const EngineKind wide_engine{.name = WideEngine::engine_name,
                             .algorithms = wide_methods,
                             .stages = wide_stages,
                             .open = open_wide,
                             .open_to_plan = open_to_plan,
                             .trial = {"exp", "1", "0x1.00000001p+0", "binary64", 20},
                             .tuning = wide_tuning};

} // namespace tmd::engine::wide
