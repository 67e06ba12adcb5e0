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

struct FractionBatch : Batch {
  std::unique_ptr<Batch> inner;   // of another engine; null if there is nothing for a device
  std::size_t engine = 0;         // its number
  std::vector<Indices> indices;   // of this batch, then of each merged one
  std::uint64_t places = 0;       // if there is no other batch: its length,
  std::uint64_t first_listed = 0; // and those that MPFR decides: numbers in the piece
  std::uint64_t listed = 0;

  [[nodiscard]] std::uint64_t count() const override { return inner ? inner->count() : places; }
  [[nodiscard]] bool is_compact() const override { return !inner || inner->is_compact(); }
  [[nodiscard]] bool join(const Batch& other) override;
};

// Some units at one fraction.
class FractionPlan : public Plan {
public:
  Interval interval;      // of the piece; without a plan if MPFR decides its arguments, or none is a case
  bool has_cases = true;  // whether there may be cases
  std::size_t engine = 0; // number of the interval's engine
  Indices indices;

  [[nodiscard]] PlanReport report() const override;
  [[nodiscard]] std::unique_ptr<Batch> batch(std::uint64_t done) const override;
  [[nodiscard]] std::unique_ptr<Plan> part(std::uint64_t done, std::uint64_t count) const override;
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
  class Fraction;

  job::Job job_;
  FractionField field_;
  const Engines& engines_;
  device::Costs costs_;
  std::unique_ptr<Fraction> fraction_; // the one that was planned last
};

} // namespace tmd::engine::fractions
