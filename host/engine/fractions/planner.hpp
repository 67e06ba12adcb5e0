// Plans of a claim: at each fraction the function of the unit is cut into pieces, and general engines search these.
#pragma once

#include "engine/engine.hpp"
#include "engine/fractions/field.hpp"
#include "engine/planning.hpp"
#include "job/pieces.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tmd::engine::fractions {

inline constexpr std::string_view fractions_method = "fractions";

using Engines = std::vector<std::unique_ptr<Engine>>;

// The indices in the claim's stretch of a piece's arguments: first, first + 2^bits, …
struct Indices {
  std::uint64_t first = 0;
  int bits = 0;
  [[nodiscard]] std::uint64_t at(std::uint64_t number) const { return first + (number << bits); }
  // Replaces numbers by indices.
  void apply(std::vector<std::uint64_t>& numbers) const;
};

// Some of a piece, or of several alike that an engine searches together; or arguments that MPFR decides, or poles.
struct FractionStep {
  std::unique_ptr<Batch> inner;   // of another engine; null if there is nothing for a device
  std::size_t engine = 0;         // its number
  std::vector<Indices> indices;   // of the batch, then of each merged one
  std::uint64_t first_listed = 0; // those that MPFR decides: numbers in the piece
  std::uint64_t listed = 0;
};

// Steps at consecutive places, of one fraction or more.
struct FractionBatch : Batch {
  std::vector<FractionStep> steps;
  std::uint64_t places = 0;

  [[nodiscard]] std::uint64_t count() const override { return places; }
  [[nodiscard]] bool is_compact() const override;
};

// An interval of a piece at one fraction.
struct FractionSection {
  Interval interval;      // without a plan if MPFR decides its arguments, or none is a case
  bool has_cases = true;  // whether there may be cases
  std::size_t engine = 0; // number of the interval's engine
  Indices indices;
  std::shared_ptr<const void> function = {}; // what the interval's plan refers to

  [[nodiscard]] double cost() const; // of an argument
};

// Consecutive sections, so many that journals need not record each fraction by itself.
class FractionPlan : public Plan {
public:
  std::vector<FractionSection> sections;

  void append(FractionSection section);
  [[nodiscard]] double cost() const; // of all
  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;
};

class FractionPlanner : public Planner {
public:
  // The engines, which must outlive it, search the pieces.
  FractionPlanner(job::Job job, const job::Stretch& stretch, const Engines& engines, device::Costs costs);
  FractionPlanner(const FractionPlanner&) = delete;
  FractionPlanner& operator=(const FractionPlanner&) = delete;
  ~FractionPlanner() override;

  [[nodiscard]] std::unique_ptr<Offer> offer(uint128 first, uint128 most) override;
  // The plan that begins there.
  [[nodiscard]] std::unique_ptr<FractionPlan> plan(uint128 first, uint128 most);

private:
  [[nodiscard]] FractionSection section_at(uint128 first, uint128 most);

  class Fraction;

  job::Job job_;
  FractionField field_;
  const Engines& engines_;
  device::Costs costs_;
  std::shared_ptr<Fraction> fraction_; // the one that was planned last
};

} // namespace tmd::engine::fractions
