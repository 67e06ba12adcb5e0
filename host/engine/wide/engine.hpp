// The wide test as an engine: one continued fraction for a million arguments (doc/theory/wide-test.md).
#pragma once

#include "engine/engine.hpp"
#include "engine/wide/search.hpp"

#include <functional>
#include <memory>
#include <string_view>

namespace tmd::engine::wide {

class WideEngine : public Engine {
public:
  static constexpr std::string_view engine_name = "wide";
  // Searches a batch: its candidates, counted from the batch's first argument, and the stages' counts.
  using Search = std::function<BatchResult(const WideBatch&, const Interrupt&)>;

  WideEngine(WideOptions options, std::uint64_t batch_sub_intervals, Search search, std::function<void()> expect = {});

  [[nodiscard]] std::string_view name() const override { return engine_name; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override;
  void prepare() override;
  void expect(const Batch& batch) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  WideOptions options_;
  std::uint64_t batch_sub_intervals_;
  Search search_;
  std::function<void()> expect_;
};

extern const EngineKind wide_engine;

} // namespace tmd::engine::wide
