#include "host/opencl/compute.hpp"

#include <limits>

#include <doctest/doctest.h>

namespace tmd::opencl {

TEST_CASE("a kernel that ended before it began took no time, not five centuries") {
  CHECK(ActiveTime{1'000'000'000, 3'500'000'000}.seconds() == 2.5);
  CHECK(ActiveTime{7, 7}.seconds() == 0);
  CHECK(ActiveTime{8, 7}.seconds() == 0);
  CHECK(ActiveTime{std::numeric_limits<std::uint64_t>::max(), 0}.seconds() == 0);
}

} // namespace tmd::opencl
