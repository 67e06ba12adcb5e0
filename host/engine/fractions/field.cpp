#include "engine/fractions/field.hpp"

#include <stdexcept>

namespace tmd::engine::fractions {

job::Stretch FractionField::whole_units(const job::Stretch& stretch) {
  const int bits = -stretch.unit_exponent;
  const uint128 first = (stretch.first + ((uint128(1) << bits) - 1)) >> bits;
  const uint128 end = (stretch.first + stretch.count) >> bits;
  job::Stretch result = stretch;
  result.first = first << bits;
  result.count = end > first ? (end - first) << bits : 0;
  return result;
}

FractionField::FractionField(const job::Stretch& stretch) : stretch_(stretch) {
  if (!stretch.negative || stretch.first % fractions() != 0 || stretch.count % fractions() != 0)
    throw std::invalid_argument("these arguments are not whole units left of 0");
}

uint128 FractionField::place_of(std::uint64_t index) const {
  return uint128((index - 1) & (fractions() - 1)) * units() + (index >> bits());
}

} // namespace tmd::engine::fractions
