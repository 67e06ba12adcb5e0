// Floating-point formats.
#pragma once

#include "tmd/api.hpp"

#include <string>
#include <string_view>

namespace tmd {

// A binary format: precision p in bits, the hidden one included, and the exponents of its normal numbers
// ±1.…·2^e, min_exponent ≤ e ≤ max_exponent.
struct Format {
  std::string name;
  int precision;
  int min_exponent;
  int max_exponent;
};

// The greatest precision p of a format; arguments may have one bit more.
inline constexpr int max_precision = 64;

// binary16, bfloat16, binary32, binary64, binary80, or `pK`: K bits (2 … 64) with binary64's exponents.
// Throws UsageError for any other name.
[[nodiscard]] TMD_API Format find_format(std::string_view name);

} // namespace tmd
