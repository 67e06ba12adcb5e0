// 128-bit integers.
#include "tmd/integer.hpp"

#include <doctest/doctest.h>

namespace tmd::number {

TEST_CASE("128-bit integers in text") {
  CHECK(to_string(uint128(0)) == "0");
  CHECK(to_string(~uint128(0)) == "340282366920938463463374607431768211455");
  CHECK(to_string(int128(-1) << 127) == "-170141183460469231731687303715884105728");
  CHECK(bit_length(0) == 0);
  CHECK(bit_length(uint128(1) << 64) == 65);
  CHECK(bit_length((uint128(1) << 64) - 1) == 64);
}

} // namespace tmd::number
