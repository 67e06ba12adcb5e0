// Differences as an engine: every argument is evaluated by additions.
#pragma once

#include "engine/differences/search.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace tmd::engine::differences {

inline constexpr std::array<std::string_view, 1> differences_methods{differences_method};

class DifferenceEngine : public Engine {
public:
  // search: null for an engine that plans, and searches on the host. joins: as in DifferencePlanner.
  explicit DifferenceEngine(device::Costs costs, std::unique_ptr<DifferenceSearch> search = nullptr, bool joins = false)
      : costs_(std::move(costs)), search_(std::move(search)), joins_(joins) {}

  [[nodiscard]] std::string_view name() const override { return differences_method; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  device::Costs costs_;
  std::unique_ptr<DifferenceSearch> search_;
  bool joins_;
};

extern const EngineKind differences_engine;

} // namespace tmd::engine::differences
