// Roots as an engine (doc/theory/method.md).
#pragma once

#include "engine/host_engine.hpp"
#include "engine/roots/plan.hpp"

#include <array>

namespace tmd::engine::roots {

inline constexpr std::array<std::string_view, 1> roots_methods{roots_method};
inline constexpr std::array<Stage, 1> roots_stages{
    {{.name = "roots", .title = "roots on the host", .unit = "roots", .key = "roots", .of_host = true}}};

class RootEngine : public HostEngine {
public:
  static constexpr std::string_view engine_name = roots_method;
  static constexpr const auto& methods = roots_methods;
  static constexpr const auto& stages = roots_stages;
  static constexpr EngineTrial trial = {"exp", "0x1p-14", "0x1p-13", "p20", 10};

  explicit RootEngine(const device::Costs& costs) : HostEngine(engine_name, stages[0], costs) {}

  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override;
};

extern const EngineKind roots_engine;

} // namespace tmd::engine::roots
