// 128-bit integers: numbers of arguments and their ranks exceed 64 bits in the widest formats.
#pragma once

#include "tmd/api.hpp"

#include <string>

namespace tmd {

__extension__ using int128 = __int128;
__extension__ using uint128 = unsigned __int128;

[[nodiscard]] TMD_API std::string to_string(uint128 value);
[[nodiscard]] TMD_API std::string to_string(int128 value);

// The number of bits of value: 0 for 0, else ⌊log2 value⌋ + 1.
[[nodiscard]] TMD_API int bit_length(uint128 value);

} // namespace tmd
