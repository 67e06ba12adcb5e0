// The phase walk as an engine: for periodic functions at arguments where no polynomial serves.
#pragma once

#include "engine/engine.hpp"
#include "engine/phase/planner.hpp"
#include "engine/phase/search.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>

namespace tmd::engine::phase {

inline constexpr std::array<std::string_view, 1> phase_methods{phase_method};

class PhaseEngine : public Engine {
public:
  static constexpr std::string_view engine_name = phase_method;
  using Search = std::function<BatchResult(const PhaseBatch&, const Interrupt&)>;
  using Expect = std::function<void(const PhaseBatch&)>;

  PhaseEngine(const PhaseOptions& options, Search search, Expect expect = {});

  [[nodiscard]] std::string_view name() const override { return engine_name; }
  [[nodiscard]] std::unique_ptr<Planner> planner(const job::Job& job, const Field& field) override;
  void expect(const Batch& batch) override;
  [[nodiscard]] BatchResult search(const Batch& batch, const Interrupt& interrupt) override;

private:
  PhaseOptions options_;
  Search search_;
  Expect expect_;
};

// The options in these settings, for this device.
[[nodiscard]] PhaseOptions phase_options(const EngineSettings& settings, const opencl::DeviceDescription& device);

// Tests a device with some windows of the batches that it is to search: of the first batch, and again of much larger
// ones.
class WalkTest {
public:
  explicit WalkTest(PhaseSearch& search) : search_(search) {}

  // The first error as a text; empty if there is none, or if the batch needs no test.
  [[nodiscard]] std::string failure(const PhaseBatch& batch);

private:
  PhaseSearch& search_;
  bool has_tested_ = false;
  // Windows of the largest batch that it was tested with, by targets and words of m, which have different kernels, and
  // by whether it was of a logarithm, whose lattices are others.
  std::map<std::tuple<int, int, bool>, std::uint64_t> windows_;
};

extern const EngineKind phase_engine;

} // namespace tmd::engine::phase
