// Every argument by differences, as an engine: no device has a part in it.
#pragma once

#include "engine/differences/plan.hpp"
#include "engine/engine.hpp"

#include <array>

namespace tmd {

inline constexpr std::array<std::string_view, 1> differences_methods{differences_method};
inline constexpr std::array<Stage, 1> differences_stages{
    {{"differences", "differences on the host", "arguments", "arguments"}}};

class DifferenceEngine : public Engine {
public:
  static constexpr std::string_view engine_name = differences_method;

  explicit DifferenceEngine(const Costs& costs) : costs_(costs) {}

  [[nodiscard]] std::string_view name() const override { return engine_name; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const Job& job, const Field& field) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  Costs costs_;
};

extern const EngineKind differences_engine;

} // namespace tmd
