// Functions that are smooth from unit to unit but not between two integers, fraction by fraction
// (doc/theory/method.md).
#pragma once

#include "engine/engine.hpp"
#include "engine/fractions/planner.hpp"

#include <array>
#include <memory>
#include <string_view>

namespace tmd::engine::fractions {

inline constexpr std::array<std::string_view, 1> fractions_methods{fractions_method};

class FractionEngine : public Engine {
public:
  static constexpr std::string_view engine_name = fractions_method;

  // engines: those that search the pieces at each fraction.
  FractionEngine(Engines engines, device::Costs costs) : engines_(std::move(engines)), costs_(std::move(costs)) {}

  [[nodiscard]] std::string_view name() const override { return engine_name; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override;
  void expect(const Batch& batch) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  Engines engines_;
  device::Costs costs_;
};

extern const EngineKind fractions_engine;

} // namespace tmd::engine::fractions
