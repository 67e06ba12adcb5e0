#include "engine/roots/engine.hpp"

namespace tmd::engine::roots {

std::unique_ptr<Planner> RootEngine::planner(const job::Job& job, const Field& field) {
  if (field.values() == nullptr)
    return nullptr;
  const format::BreakpointGrid grid = job.grid();
  return std::make_unique<RootPlanner>(polynomial::ScaledFunction(*job.function, grid, field.piece()), grid, job.K,
                                       costs());
}

const EngineKind roots_engine = host_engine_kind<RootEngine>();

} // namespace tmd::engine::roots
