// The kernels of the boxes engine on a device against the same text on the host: their findings in strips, and pairs
// whose value is shifted onto a breakpoint.
#include "device.hpp"
#include "host/engine/boxes/rectangles.hpp"
#include "host/engine/boxes/search.hpp"
#include "host/engine/boxes/tables.hpp"
#include "host/engine/boxes/tiles.hpp"
#include "host/number/random.hpp"
#include "host/pairs/pair_search.hpp"
#include "power_corners.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

namespace tmd::test {

namespace {

constexpr std::int64_t milliseconds = 100;

const std::vector<std::uint64_t>& tables() {
  static const std::vector<std::uint64_t> all = engine::boxes::power_tables();
  return all;
}

// Tiles of rectangles of binary32.
std::vector<engine::boxes::PowerStrip> strips_of(int bits, std::uint32_t side) {
  std::vector<engine::boxes::PowerStrip> result;
  for (const PowerCorner& corner : power_corners_and({{0, 12, true, 1.001, 1.2}})) {
    engine::boxes::BoxOptions options;
    options.part = 16;
    for (engine::boxes::PowerTile& tile :
         engine::boxes::PowerPlanner({Rounding::all, 24, -126, 127}, bits, options).plan(corner.rectangle(side, side)))
      std::move(tile.strips.begin(), tile.strips.end(), std::back_inserter(result));
  }
  return result;
}

std::vector<engine::boxes::BoxCandidate> on_host(const std::vector<engine::boxes::PowerStrip>& strips) {
  std::vector<engine::boxes::BoxCandidate> result;
  engine::boxes::BoxCounts counts;
  for (std::size_t i = 0; i < strips.size(); ++i)
    for (const engine::boxes::PowerPair& pair : engine::boxes::search_on_host(tables(), strips[i], counts))
      result.push_back({static_cast<std::uint32_t>(i), pair});
  return result;
}

} // namespace

TEST_CASE("boxes: candidates of a device are those of the host") {
  if (!test_device().has_fp64()) { // which the search of pairs needs
    CHECK_THROWS_AS(engine::boxes::BoxSearch(std::make_shared<engine::Launcher>(test_device(), 1 << 16), milliseconds),
                    UsageError);
    return;
  }
  const std::vector<engine::boxes::PowerStrip> strips = strips_of(14, 700);
  engine::boxes::BoxSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), milliseconds);
  const std::vector<engine::boxes::BoxCandidate> found = device.search(strips);
  CHECK(found == on_host(strips));
  CHECK(found.size() > 500);
  const engine::Stages stages = device.stages();
  CHECK(stages[0].kept == stages[1].tested);
  CHECK(stages[2].tested > 0); // next to x = 1
}

TEST_CASE("boxes: lists that are too short lose nothing") {
  if (!test_device().has_fp64())
    return;
  const std::vector<engine::boxes::PowerStrip> strips = strips_of(10, 100);
  engine::boxes::BoxSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 15), milliseconds);
  engine::boxes::BoxSearch short_of_room(std::make_shared<engine::Launcher>(test_device(), 24), milliseconds);
  const std::vector<engine::boxes::BoxCandidate> found = device.search(strips);
  CHECK(found.size() > 100);
  CHECK(short_of_room.search(strips) == found);
}

TEST_CASE("boxes: a pair whose value is shifted onto a breakpoint is found") {
  if (!test_device().has_fp64())
    return;
  number::Random random(1);
  std::vector<engine::boxes::PowerStrip> strips;
  std::vector<engine::boxes::PowerPair> planted;
  for (const engine::boxes::PowerStrip& strip : strips_of(44, 3000)) {
    const engine::boxes::layout::box_strip& s = strip.kernel;
    if (!strip.is_walked)
      continue;
    for (int n = 0; n < 8; ++n) {
      const auto any = [&](int first, int end) {
        return static_cast<std::uint32_t>(first) +
               static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(end - first)));
      };
      const std::uint32_t along = any(s.along, s.along_end);
      const std::uint32_t across = any(s.across, s.across_end);
      const engine::boxes::PowerPair pair =
          s.axis == 0 ? engine::boxes::PowerPair{along, across} : engine::boxes::PowerPair{across, along};
      const auto value = engine::boxes::value_on_host(tables(), s, pair);
      if (!value)
        continue;
      strips.push_back(strip);
      strips.back().kernel.offset = 0 - *value;
      planted.push_back(pair);
    }
  }
  engine::boxes::BoxSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), milliseconds);
  const std::vector<engine::boxes::BoxCandidate> found = device.search(strips);
  std::size_t missed = 0;
  for (std::size_t i = 0; i < planted.size(); ++i)
    missed += !std::binary_search(found.begin(), found.end(),
                                  engine::boxes::BoxCandidate{static_cast<std::uint32_t>(i), planted[i]});
  CHECK(missed == 0);
  CHECK(planted.size() > 40);
}

TEST_CASE("boxes: all cells of a small format have the cases that are found pair by pair") {
  if (!test_device().has_fp64())
    return;
  // Subnormal arguments and results, overflow, neighbours of x = 1 and of a value of 1.
  const Format format{"eight bits", 8, -14, 15};
  const std::vector<engine::boxes::PowerRectangle> cells = engine::boxes::power_cells(format);
  using Key = std::tuple<int, std::uint32_t, int, std::uint32_t, bool>;
  for (const Rounding rounding : {Rounding::all, Rounding::nearest}) {
    const pairs::PairJob job{function::find_pair_function("pow"), format, rounding, 10};
    engine::boxes::BoxOptions options;
    options.lambda3 = 16;
    options.cubic = 0.25;
    options.fewest_boxes = 4;
    options.fewest_pairs = 1 << 10;
    engine::boxes::BoxSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 20), milliseconds);
    engine::boxes::PlannedPairs planned =
        engine::boxes::plan_powers(cells, engine::boxes::PowerPlanner(job.grid(), job.K, options));
    engine::boxes::plant(planned, tables(), 100, 1);
    CHECK(planned.planted.size() == 100);
    const std::vector<engine::boxes::PairCandidate> candidates = engine::boxes::search_planned(planned, device);
    std::set<Key> found;
    for (const auto& [number, pair] : candidates) {
      const engine::boxes::PowerRectangle& cell = cells[number];
      found.insert({cell.x_exponent, pair.x, cell.y_exponent, pair.y, cell.is_negative});
    }
    const pairs::PairResult expected = pairs::search_every_pair(job, 2);
    std::size_t missed = 0;
    for (const pairs::PairCase& one : expected.cases) {
      const auto& [x, y] = one.operands;
      missed += found.count({x.unit_exponent, static_cast<std::uint32_t>(x.significand), y.unit_exponent,
                             static_cast<std::uint32_t>(y.significand), y.negative}) == 0;
    }
    CHECK(missed == 0);
    CHECK(expected.cases.size() > 1000);
    CHECK(candidates.size() < 4 * expected.cases.size());
    CHECK(device.stages()[0].tested > 10000);
    MESSAGE(expected.cases.size() << " cases, " << candidates.size() << " candidates, " << device.stages()[0].tested
                                  << " boxes");
  }
}

// Rectangles of binary32, with boxes that lean along X and along Y; the last one is examined pair by pair.
TEST_CASE("boxes: tiles of polynomials have the candidates of the host") {
  struct Place {
    const char* text;
    engine::boxes::TileOperand x;
    engine::boxes::TileOperand y;
  };
  engine::boxes::BoxSearch device(std::make_shared<engine::Launcher>(test_device(), 1 << 16), milliseconds);
  engine::boxes::BoxOptions options;
  options.part = 16;
  const auto from = [](double significand, std::uint32_t size) {
    const auto first = static_cast<std::uint32_t>(std::ldexp(significand, 23));
    return engine::boxes::SignificandRange{first, first + size};
  };
  std::size_t walked = 0;
  for (const Place& place : {Place{"sqrt(x^2+y^2)", {-23, false, from(1.3, 900)}, {-22, true, from(1.7, 700)}},
                             {"exp(x)*y", {-21, false, from(1.1, 500)}, {-30, false, from(1.9, 1500)}},
                             {"x^y", {-23, false, from(1.55, 600)}, {-17, false, from(1.3, 600)}},
                             {"atan(y/x)", {-23, false, from(1.25, 800)}, {-23, false, from(1.5, 1200)}},
                             {"x*y", {-23, false, from(1.25, 100)}, {-23, false, from(1.5, 100)}}}) {
    const function::PairExpression expression = function::make_pair_expression(place.text);
    engine::boxes::PlannedPairs planned;
    engine::boxes::TilePlanner(*expression.formula, {Rounding::nearest, 24, -126, 127}, 12, options)
        .plan({place.x, place.y}, planned);
    device.use_tiles(planned.polynomials);
    std::vector<engine::boxes::BoxCandidate> expected;
    engine::boxes::BoxCounts counts;
    for (std::size_t i = 0; i < planned.strips.size(); ++i) {
      walked += planned.strips[i].is_walked ? 1 : 0;
      for (const engine::boxes::PowerPair& pair :
           engine::boxes::search_on_host(device.tables(), planned.strips[i], counts))
        expected.push_back({static_cast<std::uint32_t>(i), pair});
    }
    std::sort(expected.begin(), expected.end());
    CHECK(device.search(planned.strips) == expected);
    CHECK(expected.size() > 50);
  }
  CHECK(walked >= 4);
  CHECK(device.stages()[0].tested > 300); // boxes
}

} // namespace tmd::test
