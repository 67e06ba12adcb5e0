#include "engine/differences/engine.hpp"

namespace tmd::engine::differences {

std::unique_ptr<Planner> DifferenceEngine::planner(const job::Job& job, const Field& field) {
  if (field.values() == nullptr)
    return nullptr;
  return std::make_unique<DifferencePlanner>(polynomial::ScaledFunction(*job.function, job.grid(), field.piece()),
                                             job.K, costs());
}

const EngineKind differences_engine = host_engine_kind<DifferenceEngine>();

} // namespace tmd::engine::differences
