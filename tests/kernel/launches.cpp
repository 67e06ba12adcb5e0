// The number of a stage's items in one launch.
#include "device.hpp"
#include "host/engine/launcher.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace tmd::test {

TEST_CASE("launches: as many items as what those before have kept leaves room for") {
  constexpr std::uint32_t capacity = 1000;
  constexpr std::uint64_t first = 1 << 20;
  engine::Launcher launcher(test_device(), capacity);
  for (const double share : {0.0, 1e-4, 1e-3, 0.01, 0.5, 1.0}) {
    for (const std::uint32_t together : {1U, 16U, 4096U}) {
      INFO(share, ", together ", together);
      engine::LaunchedStage stage(engine::Stage{"stage", "stage", "", "items", true}, 64, first, 200);
      stage.survivor_share = share;
      stage.together = together;
      engine::Sweep sweep(launcher, stage, 0, 4 * first);
      const auto slice = sweep.next();
      REQUIRE(slice);
      CHECK(slice->count % together == 0);
      CHECK((share * slice->count <= capacity || slice->count == together));
      CHECK(slice->count + together >
            std::min(static_cast<double>(first), share > 0 ? 0.79 * capacity / share : first));
    }
  }
}

} // namespace tmd::test
