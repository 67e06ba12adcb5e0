// Differences as an engine: every argument is evaluated by additions, on the host.
#pragma once

#include "engine/differences/plan.hpp"
#include "engine/host_engine.hpp"

#include <array>

namespace tmd::engine::differences {

inline constexpr std::array<std::string_view, 1> differences_methods{differences_method};
inline constexpr std::array<Stage, 1> differences_stages{{{.name = "differences",
                                                           .title = "differences on the host",
                                                           .unit = "arguments",
                                                           .key = "arguments",
                                                           .of_host = true}}};

class DifferenceEngine : public HostEngine {
public:
  static constexpr std::string_view engine_name = differences_method;
  static constexpr const auto& methods = differences_methods;
  static constexpr const auto& stages = differences_stages;
  static constexpr EngineTrial trial = {"acos", "0.9375", "0.96875", "p20", 8};

  explicit DifferenceEngine(const device::Costs& costs) : HostEngine(engine_name, stages[0], costs) {}

  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override;
};

extern const EngineKind differences_engine;

} // namespace tmd::engine::differences
