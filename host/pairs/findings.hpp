// What threads have found and examined in a job of two variables.
#pragma once

#include "pairs/scaling_class.hpp"

#include <utility>
#include <vector>

namespace tmd::pairs {

// The findings of one thread, or of all together.
class PairFindings {
public:
  explicit PairFindings(PairJob job) : job_(std::move(job)) {}

  // Asks MPFR and Arb about a pair and keeps it if it is a case. in_family: counts it without listing it.
  void look_at(const Operands& operands, uint128 pairs, bool in_family = false);
  // The same for all pairs of the format that share an entry; does nothing if there are none.
  void look_at(const Ratio& ratio, bool in_family = false);
  void look_at(const Legs& legs, bool in_family = false);
  // Adds entries that are known to belong to the family.
  void add_to_family(uint128 entries) { family_ += entries; }
  void add_tested(uint128 count) { tested_ += count; }
  void add_exact(uint128 entries) { exact_ += entries; }
  void add_cases(std::vector<PairCase> cases); // confirmed before
  void add_undecided(std::vector<Operands> undecided);
  void add_candidates(std::uint64_t count) { candidates_ += count; }
  void add(PairFindings other);

  [[nodiscard]] const function::PairFunction& function() const { return *job_.function; }
  [[nodiscard]] const std::vector<PairCase>& cases() const { return cases_; }
  [[nodiscard]] const std::vector<Operands>& undecided() const { return undecided_; }
  [[nodiscard]] uint128 exact() const { return exact_; }
  [[nodiscard]] uint128 family() const { return family_; }
  [[nodiscard]] uint128 tested() const { return tested_; }
  [[nodiscard]] std::uint64_t candidates() const { return candidates_; }

  // The sorted result; exact entries and those of the family are given as families.
  [[nodiscard]] PairResult result() &&;

private:
  PairJob job_;
  std::vector<PairCase> cases_;
  std::vector<Operands> undecided_;
  uint128 exact_ = 0;
  uint128 family_ = 0;
  uint128 tested_ = 0;
  std::uint64_t candidates_ = 0;
};

} // namespace tmd::pairs
