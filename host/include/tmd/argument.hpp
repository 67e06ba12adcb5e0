// One argument of a function: a number with its own significand and exponent.
#pragma once

#include "tmd/api.hpp"
#include "tmd/integer.hpp"

#include <string>

namespace tmd {

// ±significand·2^unit_exponent.
struct Argument {
  bool negative = false;
  uint128 significand = 0;
  int unit_exponent = 0;

  friend bool operator==(const Argument&, const Argument&) = default;
};

// As a normalized C hex float: 0x1.8p+1, -0x1p-3, 0x0p+0.
[[nodiscard]] TMD_API std::string to_hex(const Argument& argument);

// −1, 0 or 1 if left is less than, equal to or greater than right.
[[nodiscard]] TMD_API int compare(const Argument& left, const Argument& right);

} // namespace tmd
