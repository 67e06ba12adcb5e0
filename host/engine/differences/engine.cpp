#include "engine/differences/engine.hpp"

#include <utility>

namespace tmd {

std::unique_ptr<Planner> DifferenceEngine::planner(const Job& job, const Field& field) {
  if (!field.values)
    return nullptr;
  return std::make_unique<DifferencePlanner>(ScaledFunction(*job.function, job.grid(), field.piece()), job.bits,
                                             costs_);
}

BatchResult DifferenceEngine::search(const Batch& batch, const Interrupt& /*interrupt*/) {
  const auto& differences = dynamic_cast<const DifferenceBatch&>(batch);
  BatchResult result;
  result.stages.assign(differences_stages.begin(), differences_stages.end());
  result.stages[0].tested = differences.arguments;
  result.stages[0].kept = differences.candidates.size();
  result.stages[0].seconds = differences.seconds;
  result.candidates = differences.candidates;
  result.reach = differences.reach;
  return result;
}

namespace {

std::unique_ptr<Engine> open_to_plan_differences(const EngineSettings& settings) {
  return std::make_unique<DifferenceEngine>(settings.costs);
}

std::unique_ptr<Engine> open_differences(const std::shared_ptr<Launcher>& /*launcher*/,
                                         const EngineSettings& settings) {
  return open_to_plan_differences(settings);
}

} // namespace

const EngineKind differences_engine{DifferenceEngine::engine_name,
                                    differences_methods,
                                    differences_stages,
                                    nullptr,
                                    open_differences,
                                    open_to_plan_differences,
                                    false};

} // namespace tmd
