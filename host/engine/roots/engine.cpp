#include "engine/roots/engine.hpp"

#include "engine/settings.hpp"

namespace tmd::engine::roots {

std::unique_ptr<Planner> RootEngine::planner(const job::Job& job, const Field& field) {
  if (field.values() == nullptr)
    return nullptr;
  const format::BreakpointGrid grid = job.grid();
  return std::make_unique<RootPlanner>(polynomial::ScaledFunction(*job.function, grid, field.piece()), grid, job.K,
                                       costs_);
}

// The host has found them while the batch was made.
BatchResult RootEngine::search(const Batch& batch, const Interrupt& /*interrupt*/) {
  const auto& found = dynamic_cast<const RootBatch&>(batch);
  BatchResult result;
  result.candidates = found.candidates;
  Stage& stage = result.stages.emplace_back(roots_stages[0]);
  stage.tested = found.tested;
  stage.kept = found.candidates.size();
  stage.seconds = found.seconds;
  return result;
}

const EngineKind roots_engine{.name = roots_method,
                              .algorithms = roots_methods,
                              .stages = roots_stages,
                              .open = [](const std::shared_ptr<Launcher>& /*launcher*/, const EngineSettings& settings)
                                  -> std::unique_ptr<Engine> { return std::make_unique<RootEngine>(settings.costs); },
                              .open_to_plan = [](const EngineSettings& settings) -> std::unique_ptr<Engine> {
                                return std::make_unique<RootEngine>(settings.costs);
                              },
                              .is_general = false,
                              .trial = {"exp", "0x1p-14", "0x1p-13", "p20", 10}};

} // namespace tmd::engine::roots
