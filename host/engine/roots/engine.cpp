#include "engine/roots/engine.hpp"

#include <utility>

namespace tmd {

std::unique_ptr<Planner> RootEngine::planner(const Job& job, const Field& field) {
  if (!field.values)
    return nullptr;
  const BreakpointGrid grid = job.grid();
  return std::make_unique<RootPlanner>(ScaledFunction(*job.function, grid, field.piece()), grid, job.bits, costs_);
}

BatchResult RootEngine::search(const Batch& batch, const Interrupt& /*interrupt*/) {
  const auto& roots = dynamic_cast<const RootBatch&>(batch);
  Stages stages(roots_stages.begin(), roots_stages.end());
  stages[0].tested = roots.roots;
  stages[0].kept = roots.candidates.size();
  stages[0].seconds = roots.seconds;
  BatchResult result;
  result.candidates = roots.candidates;
  result.stages = std::move(stages);
  return result;
}

namespace {

std::unique_ptr<Engine> open_to_plan(const EngineSettings& settings) {
  return std::make_unique<RootEngine>(settings.costs);
}

std::unique_ptr<Engine> open_roots(const std::shared_ptr<Launcher>& /*launcher*/, const EngineSettings& settings) {
  return open_to_plan(settings);
}

} // namespace

const EngineKind roots_engine{
    RootEngine::engine_name, roots_methods, roots_stages, nullptr, open_roots, open_to_plan, false};

} // namespace tmd
