// The phase walk as an engine: for periodic functions at arguments where no polynomial serves.
#pragma once

#include "engine/engine.hpp"
#include "engine/phase/plan.hpp"
#include "engine/phase/search.hpp"

#include <array>
#include <functional>

namespace tmd {

inline constexpr std::array<std::string_view, 1> phase_methods{phase_method};

class PhaseEngine : public Engine {
public:
  static constexpr std::string_view engine_name = phase_method;
  using Search = std::function<BatchResult(const PhaseBatch&, const Interrupt&)>;

  PhaseEngine(const PhaseOptions& options, Search search);

  [[nodiscard]] std::string_view name() const override { return engine_name; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const Job& job, const Field& field) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  PhaseOptions options_;
  Search search_;
};

extern const EngineKind phase_engine;

} // namespace tmd
