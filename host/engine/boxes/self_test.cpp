#include "engine/boxes/self_test.hpp"

#include "engine/arithmetic_test.hpp"
#include "engine/self_test.hpp"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace tmd::engine::boxes {

namespace {

// Strips with known results; the last is searched by lines, as refused boxes are.
std::vector<PowerStrip> known_strips(bool is_compound) {
  constexpr int bits = 12;
  struct Corner {
    int x_sign;
    int x_exponent;
    int y_exponent;
    bool is_negative;
    double x; // in [1, 2)
    double y;
    std::uint32_t side;
    bool is_walked;
  };
  const PowerPlanner planner({Rounding::all, 24, -126, 127}, bits, {});
  std::vector<PowerStrip> strips;
  const std::vector<Corner> powers{{0, 0, 6, false, 1.55, 1.3, 512, true},
                                   {0, 3, 3, true, 1.4, 1.5, 512, true},
                                   {0, 0, 12, true, 1.001, 1.2, 512, true},
                                   {0, 40, -14, false, 1.3, 1.1, 2048, false}};
  const std::vector<Corner> compounds{{1, -12, 16, false, 1.55, 1.3, 512, true},
                                      {-1, -9, 14, false, 1.4, 1.5, 512, true},
                                      {1, -26, 30, true, 1.001, 1.2, 512, true},
                                      {-1, -40, 30, false, 1.3, 1.1, 2048, false}};
  for (const Corner& corner : is_compound ? compounds : powers) {
    const int y_unit = is_compound ? 0 : corner.y_exponent - 23;
    PowerRectangle r{corner.x_exponent - 23, y_unit, corner.is_negative};
    r.x_is_negative = corner.x_sign < 0;
    r.is_compound = is_compound;
    r.x_first = static_cast<std::uint32_t>(std::ldexp(corner.x, 23));
    r.y_first = static_cast<std::uint32_t>(std::ldexp(corner.y, corner.y_exponent - y_unit));
    r.x_end = r.x_first + corner.side;
    r.y_end = r.y_first + corner.side;
    for (PowerTile& tile : planner.plan(r))
      for (PowerStrip& strip : tile.strips) {
        strip.is_walked = strip.is_walked && corner.is_walked;
        strips.push_back(std::move(strip));
      }
  }
  return strips;
}

} // namespace

void test_boxes(Launcher& launcher, BoxSearch& device, bool is_compound) {
  const Launcher::Unrecorded unrecorded(launcher);
  self_test::require(launcher.device(), arithmetic_failure(launcher));
  self_test::require(launcher.device(), fp64_failure(launcher));
  const std::vector<PowerStrip> strips = known_strips(is_compound);
  std::vector<BoxCandidate> expected;
  BoxCounts counts;
  for (std::size_t i = 0; i < strips.size(); ++i)
    for (const PowerPair& pair : search_on_host(device.tables(), strips[i], counts))
      expected.push_back({static_cast<std::uint32_t>(i), pair});
  const bool is_right = device.search(strips) == expected;
  self_test::require(launcher.device(), is_right ? "" : "boxes of pairs have not the candidates that they must have");
  device.reset_stages();
}

} // namespace tmd::engine::boxes
