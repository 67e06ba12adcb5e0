// Plans that look at every argument, by differences of polynomials in integers: for stretches where F bends so much
// that no test filters and no kernel serves, as next to a pole or where a derivative grows beyond bounds.
#pragma once

#include "device/costs.hpp"
#include "engine/host_engine.hpp"
#include "number/bound.hpp"
#include "polynomial/scaled_function.hpp"
#include "polynomial/taylor.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tmd::engine::differences {

inline constexpr std::string_view differences_method = "differences";

// P at successive arguments modulo 1, in units of 2^-128.
struct DifferenceTable {
  static constexpr int most_degree = 12;

  std::array<uint128, most_degree + 1> row{}; // differences of P at the first argument: of order 0, 1, …
  int degree = 0;
  number::Bound error; // of P at any argument up to one behind the last: the row is rounded, and what is small cut off
};

// Goes through the arguments 0 … count − 1 of a table: appends to `near`, plus `first`, those whose value modulo 1 lies
// within (tolerance − 1)·2^-64 of an integer, and others that are no further than that and 2^-63. The table ends at the
// argument `count`.
void list_near_integers(DifferenceTable& table, std::uint64_t count, std::uint64_t tolerance, std::uint64_t first,
                        std::vector<std::uint64_t>& near);

// A run of arguments that one table serves.
struct DifferenceRun {
  uint128 first = 0;
  std::uint64_t count = 0;
  DifferenceTable table;
  uint128 end = 0;     // what the table's first entry is behind the last argument, but for its error
  number::Bound bound; // of the distance of the table's values from breakpoints where F's are within ε
};

// A polynomial of low degree for the arguments, unless each misses F by more than a small part of ε = 2^-bits.
[[nodiscard]] std::optional<polynomial::TaylorPolynomial> polynomial_of_runs(const polynomial::ScaledFunction& function,
                                                                             int K, uint128 first, std::uint64_t count);

// A run of arguments that such a polynomial serves, unless 128 bits miss it by more than that.
[[nodiscard]] std::optional<DifferenceRun> difference_run(const polynomial::TaylorPolynomial& taylor, int K,
                                                          uint128 first, std::uint64_t count);

class DifferencePlan : public Plan {
public:
  // stretch: arguments of a polynomial, where the plan begins.
  DifferencePlan(const polynomial::ScaledFunction& function, int K, std::uint64_t stretch);

  [[nodiscard]] PlanReport report() const override;
  // Throws SoundnessError when a table does not end where its polynomial does.
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;

private:
  polynomial::ScaledFunction function_;
  int K_; // K
  std::uint64_t stretch_;
};

class DifferencePlanner : public Planner {
public:
  DifferencePlanner(const polynomial::ScaledFunction& function, int K, device::Costs costs)
      : function_(function), K_(K), costs_(std::move(costs)) {}

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;
  [[nodiscard]] double least_cost() const override;

private:
  polynomial::ScaledFunction function_;
  int K_;
  device::Costs costs_;
  std::uint64_t stretch_ = std::uint64_t(1) << 12; // to be tried next
};

} // namespace tmd::engine::differences
