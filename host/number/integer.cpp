#include "tmd/integer.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tmd {

std::string to_string(uint128 value) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string to_string(int128 value) {
  return value < 0 ? "-" + to_string(uint128(0) - static_cast<uint128>(value)) : to_string(static_cast<uint128>(value));
}

int bit_length(uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high)) : static_cast<int>(std::bit_width(low));
}

} // namespace tmd
