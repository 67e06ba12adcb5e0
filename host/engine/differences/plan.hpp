// Plans that look at every argument, by differences of polynomials in integers: for stretches where F bends so much
// that no test filters and no other kernel serves, as next to a pole or where a derivative grows beyond bounds.
#pragma once

#include "device/costs.hpp"
#include "engine/differences/stretch.hpp"
#include "engine/engine.hpp"
#include "polynomial/scaled_function.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::engine::differences {

inline constexpr std::string_view differences_method = "differences";

// Stretches in a row, or arguments that no polynomial serves.
struct DifferenceBatch : Batch {
  std::uint64_t arguments = 0; // of its own; those of joined batches do not count
  std::vector<DifferenceStretch> stretches;
  std::vector<std::uint64_t> unserved; // indices in the field's stretch: all are candidates
  std::vector<std::size_t> joined;     // where the stretches of each joined batch begin

  [[nodiscard]] std::uint64_t count() const override { return arguments; }
  [[nodiscard]] bool is_compact() const override;
  [[nodiscard]] bool join(const Batch& other) override;

  [[nodiscard]] std::uint64_t runs() const;
  // Differences of the kernels that serve all its runs.
  [[nodiscard]] int differences() const;
  // Bounds that hold for all its runs.
  [[nodiscard]] std::uint64_t tolerance() const;
  [[nodiscard]] std::uint64_t seam_tolerance() const;
  // A candidate's largest distance from a breakpoint, in spacings.
  [[nodiscard]] double max_distance() const;
};

class DifferencePlan : public Plan {
public:
  // begin: its first stretch.
  DifferencePlan(const polynomial::ScaledFunction& function, int K, std::shared_ptr<const DifferenceStretch> begin);

  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;

private:
  polynomial::ScaledFunction function_;
  int K_; // K
  std::shared_ptr<const DifferenceStretch> begin_;
};

class DifferencePlanner : public Planner {
public:
  // joins: whether batches are joined, so that a plan has a smaller share of an interval's fixed cost.
  DifferencePlanner(const polynomial::ScaledFunction& function, int K, device::Costs costs, bool joins = false)
      : function_(function), K_(K), costs_(std::move(costs)), joins_(joins) {}

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;
  [[nodiscard]] double least_cost() const override;

private:
  polynomial::ScaledFunction function_;
  int K_;
  device::Costs costs_;
  bool joins_;
  std::uint64_t stretch_ = std::uint64_t(1) << 12; // to be tried next
};

} // namespace tmd::engine::differences
