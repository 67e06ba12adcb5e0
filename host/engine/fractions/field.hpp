// The coordinate of a claim: arguments -(n + t) fraction by fraction, for each t all units n.
#pragma once

#include "job/stretch.hpp"

#include <cstdint>

namespace tmd::engine::fractions {

// Negative arguments of one binade that have a fraction: whole units, each with as many fractions. A place is the
// number of the fraction times the number of units, plus the number of the unit.
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
  // The argument's index in the stretch.
  [[nodiscard]] std::uint64_t index_of(std::uint64_t unit, std::uint64_t fraction) const {
    return (unit - first_unit()) << bits() | fraction;
  }
  [[nodiscard]] uint128 place_of(std::uint64_t index) const;

private:
  job::Stretch stretch_;
};

} // namespace tmd::engine::fractions
