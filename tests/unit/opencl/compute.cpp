#include "host/opencl/compute.hpp"

#include <limits>

#include <doctest/doctest.h>

namespace tmd::opencl {

TEST_CASE("a kernel that ended before it began took no time, not five centuries") {
  CHECK(seconds_between(1'000'000'000, 3'500'000'000) == 2.5);
  CHECK(seconds_between(7, 7) == 0);
  CHECK(seconds_between(8, 7) == 0);
  CHECK(seconds_between(std::numeric_limits<std::uint64_t>::max(), 0) == 0);
}

} // namespace tmd::opencl
