// The existence tests as an engine: one domain at a time, seeds 000 to 004.
#pragma once

#include "engine/domains/search.hpp"
#include "engine/engine.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace tmd::engine::domains {

class DomainEngine : public Engine {
public:
  static constexpr std::string_view engine_name = "domains";
  // Searches a batch: its candidates, counted from the batch's first argument, and the stages' counts.
  using Search = std::function<BatchResult(const DomainBatch&, const Interrupt&)>;

  // Begins to build what a batch needs, or, without one, what every batch needs.
  using Ahead = std::function<void(const DomainBatch*)>;

  DomainEngine(DomainOptions options, const DomainLimits& limits, Search search, Ahead ahead = {});

  [[nodiscard]] std::string_view name() const override { return engine_name; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override;
  void prepare() override;
  void expect(const Batch& batch) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  DomainOptions options_;
  DomainLimits limits_;
  Search search_;
  Ahead ahead_;
};

extern const EngineKind domain_engine;

} // namespace tmd::engine::domains
