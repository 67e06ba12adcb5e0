// Roots as an engine (doc/theory/method.md).
#pragma once

#include "engine/engine.hpp"
#include "engine/roots/plan.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace tmd::engine::roots {

inline constexpr std::array<std::string_view, 1> roots_methods{roots_method};
inline constexpr std::array<Stage, 1> roots_stages{
    {{.name = "roots", .title = "roots on the host", .unit = "roots", .key = "roots", .of_host = true}}};

class RootEngine : public Engine {
public:
  explicit RootEngine(device::Costs costs) : costs_(std::move(costs)) {}

  [[nodiscard]] std::string_view name() const override { return roots_method; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  device::Costs costs_;
};

extern const EngineKind roots_engine;

} // namespace tmd::engine::roots
