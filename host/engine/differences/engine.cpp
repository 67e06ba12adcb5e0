#include "engine/differences/engine.hpp"

#include <algorithm>
#include <utility>

namespace tmd::engine::differences {

std::unique_ptr<Planner> DifferenceEngine::planner(const job::Job& job, const Field& field) {
  if (field.values() == nullptr)
    return nullptr;
  return std::make_unique<DifferencePlanner>(polynomial::ScaledFunction(*job.function, job.grid(), field.piece()),
                                             job.K, costs_, joins_);
}

BatchResult DifferenceEngine::search(const Batch& batch, const Interrupt& interrupt) {
  const auto& differences = dynamic_cast<const DifferenceBatch&>(batch);
  BatchResult result;
  result.max_distance = differences.max_distance();
  result.candidates = differences.unserved;
  Stage& stage = result.stages.emplace_back(differences_stages[0]);
  DifferencePlaces places;
  if (search_) {
    search_->reset_stage();
    places = search_->search(differences, interrupt);
    stage = search_->stage();
  } else {
    places = search_on_host(differences);
    for (const DifferenceStretch& stretch : differences.stretches)
      stage.tested += stretch.count;
  }
  result.of_joined.resize(differences.joined.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto behind = std::upper_bound(differences.joined.begin(), differences.joined.end(), i);
    auto& candidates = behind == differences.joined.begin()
                           ? result.candidates
                           : result.of_joined[static_cast<std::size_t>(behind - differences.joined.begin()) - 1];
    for (const std::uint64_t place : places[i])
      candidates.push_back(static_cast<std::uint64_t>(differences.stretches[i].first) + place);
  }
  if (!search_)
    stage.kept = result.candidates.size() - differences.unserved.size();
  return result;
}

namespace {

std::unique_ptr<Engine> engine_of(const EngineSettings& settings, std::unique_ptr<DifferenceSearch> search) {
  return std::make_unique<DifferenceEngine>(settings.costs, std::move(search),
                                            settings.tunables[device::shared_tunable("queues")] > 1);
}

} // namespace

const EngineKind differences_engine{
    .name = differences_method,
    .algorithms = differences_methods,
    .stages = differences_stages,
    .open = [](const std::shared_ptr<Launcher>& launcher, const EngineSettings& settings) -> std::unique_ptr<Engine> {
      return engine_of(settings, std::make_unique<DifferenceSearch>(launcher, settings.tunables));
    },
    .open_to_plan = [](const EngineSettings& settings) { return engine_of(settings, nullptr); },
    .is_general = false,
    .trial = {"acos", "0.9375", "0.96875", "p20", 8}};

} // namespace tmd::engine::differences
