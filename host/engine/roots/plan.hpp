// Plans that compute where F crosses breakpoints: for stretches where it hardly moves beside a line with an integer
// slope, so that few arguments can be cases and all tests would look at very many.
#pragma once

#include "device/costs.hpp"
#include "engine/engine.hpp"
#include "number/arb.hpp"
#include "polynomial/scaled_function.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::engine::roots {

inline constexpr std::string_view roots_method = "roots";

// The candidates that the host has found in part of a plan.
struct RootBatch : Batch {
  std::uint64_t arguments = 0;
  std::uint64_t tested = 0;              // roots
  std::vector<std::uint64_t> candidates; // indices in the field's stretch, sorted
  double seconds = 0;

  [[nodiscard]] std::uint64_t count() const override { return arguments; }
  [[nodiscard]] bool is_compact() const override { return candidates.size() <= most_compact_words; }
};

// G(i) = F(i) − line·i, which crosses the same breakpoints.
class Deviation {
public:
  Deviation(const polynomial::ScaledFunction& function, number::Integer line, long precision)
      : function_(function), line_(std::move(line)), precision_(precision) {}

  // Encloses G and G′ for the indices first … last.
  void enclose(number::ArbVector& value_and_slope, uint128 first, uint128 last) const;
  [[nodiscard]] long precision() const { return precision_; }

private:
  polynomial::ScaledFunction function_;
  number::Integer line_;
  long precision_;
};

// All arguments of a batch that are closer than ε to a breakpoint are listed: with |G′| ≥ L over the plan's interval,
// |G(i) − k| ≤ ε implies |i − j| ≤ (ε + |G(j) − k|)/L for any index j of it.
class RootPlan : public Plan {
public:
  std::shared_ptr<const Deviation> deviation;
  double least_slope = 0; // L
  double expected_roots = 0;
  int K = 0; // K

  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;

private:
  void list_near(const number::Integer& breakpoint, uint128 begin, uint128 end, uint128 from,
                 std::vector<std::uint64_t>& candidates) const;
};

class RootPlanner : public Planner {
public:
  RootPlanner(const polynomial::ScaledFunction& function, const format::BreakpointGrid& grid, int K,
              device::Costs costs)
      : function_(function), precision_(grid.number_bits() + K + guard_bits), K_(K), costs_(std::move(costs)) {}

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;

private:
  static constexpr long guard_bits = 128; // guard bits, for indices are multiplied by slopes

  polynomial::ScaledFunction function_;
  long precision_;
  int K_;
  device::Costs costs_;
};

} // namespace tmd::engine::roots
