// Roots as an engine: no device has a part in it.
#pragma once

#include "engine/engine.hpp"
#include "engine/roots/plan.hpp"

#include <array>

namespace tmd {

inline constexpr std::array<std::string_view, 1> roots_methods{roots_method};
inline constexpr std::array<Stage, 1> roots_stages{{{"roots", "roots on the host", "roots", "roots"}}};

class RootEngine : public Engine {
public:
  static constexpr std::string_view engine_name = roots_method;

  explicit RootEngine(const Costs& costs) : costs_(costs) {}

  [[nodiscard]] std::string_view name() const override { return engine_name; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const Job& job, const Field& field) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  Costs costs_;
};

extern const EngineKind roots_engine;

} // namespace tmd
