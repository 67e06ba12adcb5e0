// Engines that find their candidates on the host while a batch is made, without a device.
#pragma once

#include "device/costs.hpp"
#include "engine/engine.hpp"
#include "engine/settings.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::engine {

// The candidates that the host has found in part of a plan.
struct HostBatch : Batch {
  std::uint64_t arguments = 0;
  std::uint64_t tested = 0;                                      // in units of the engine's stage
  std::vector<std::uint64_t> candidates;                         // indices in the field's stretch, sorted
  double max_distance = std::numeric_limits<double>::infinity(); // as in BatchResult
  double seconds = 0;

  [[nodiscard]] std::uint64_t count() const override { return arguments; }
  [[nodiscard]] bool is_compact() const override { return candidates.size() <= most_compact_words; }
};

// An engine with one stage. Derived classes plan.
class HostEngine : public Engine {
public:
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& /*interrupt*/) override {
    const auto& found = dynamic_cast<const HostBatch&>(batch);
    BatchResult result;
    result.candidates = found.candidates;
    result.max_distance = found.max_distance;
    Stage& stage = result.stages.emplace_back(stage_);
    stage.tested = found.tested;
    stage.kept = found.candidates.size();
    stage.seconds = found.seconds;
    return result;
  }

protected:
  HostEngine(std::string_view name, const Stage& stage, device::Costs costs)
      : name_(name), stage_(stage), costs_(std::move(costs)) {}

  [[nodiscard]] const device::Costs& costs() const { return costs_; }

private:
  std::string_view name_;
  const Stage& stage_;
  device::Costs costs_;
};

// The registry's line of a host engine, which serves special functions only.
template <typename EngineType> constexpr EngineKind host_engine_kind() {
  return {EngineType::engine_name,
          EngineType::methods,
          EngineType::stages,
          nullptr,
          [](const std::shared_ptr<Launcher>& /*launcher*/, const EngineSettings& settings) -> std::unique_ptr<Engine> {
            return std::make_unique<EngineType>(settings.costs);
          },
          [](const EngineSettings& settings) -> std::unique_ptr<Engine> {
            return std::make_unique<EngineType>(settings.costs);
          },
          false,
          EngineType::trial};
}

} // namespace tmd::engine
