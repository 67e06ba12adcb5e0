// The coordinate of a claim: arguments -(n + t) fraction by fraction, for each t all units n.
#pragma once

#include "job/stretch.hpp"

#include <cstdint>

namespace tmd::engine::fractions {

// Negative arguments of one binade: whole units, each with as many fractions. The fractions are in the order 1, 2, …,
// 0, because the arguments without a fraction, poles, say nothing of the others' costs. The place of an argument is the
// number of fractions before its own times the number of units, plus the number of its unit.
class FractionField {
public:
  // The whole units of a stretch whose unit_exponent is from -63 to -1.
  [[nodiscard]] static job::Stretch whole_units(const job::Stretch& stretch);
  // Requires a stretch of whole units.
  explicit FractionField(const job::Stretch& stretch);

  [[nodiscard]] std::uint64_t units() const { return static_cast<std::uint64_t>(stretch_.count >> bits()); }
  [[nodiscard]] std::uint64_t first_unit() const { return static_cast<std::uint64_t>(stretch_.first >> bits()); }
  // log2 of the number of fractions.
  [[nodiscard]] int bits() const { return -stretch_.unit_exponent; }
  [[nodiscard]] std::uint64_t fractions() const { return std::uint64_t(1) << bits(); }
  // The fraction and the unit of the argument at a place.
  [[nodiscard]] std::uint64_t fraction_at(uint128 place) const {
    return static_cast<std::uint64_t>(place / units() + 1) & (fractions() - 1);
  }
  [[nodiscard]] std::uint64_t unit_at(uint128 place) const {
    return first_unit() + static_cast<std::uint64_t>(place % units());
  }
  // The argument's index in the stretch.
  [[nodiscard]] std::uint64_t index_of(std::uint64_t unit, std::uint64_t fraction) const {
    return (unit - first_unit()) << bits() | fraction;
  }
  [[nodiscard]] uint128 place_of(std::uint64_t index) const;

private:
  job::Stretch stretch_;
};

} // namespace tmd::engine::fractions
