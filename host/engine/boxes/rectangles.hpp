// x^y over whole rectangles of pairs, or cells of a format: all that may be cases, and every pair accounted for.
#pragma once

#include "engine/boxes/plan.hpp"
#include "engine/boxes/search.hpp"
#include "tmd/format.hpp"
#include "tmd/integer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tmd::engine::boxes {

// The plan of a search of several rectangles: their tiles and strips.
struct PlannedPowers {
  struct Tile {
    std::size_t rectangle = 0; // its number
    PowerRectangle pairs;
  };
  std::vector<PowerStrip> strips;
  std::vector<std::size_t> rectangles; // of each strip
  std::vector<Tile> beside_one;
  std::vector<Tile> full;
  // Pairs of tiles by their kind. Each pair of the rectangles is in one.
  std::array<uint128, tile_kinds> pairs{};

  // Pairs whose values are shifted onto a breakpoint, each in a copy of its row of a strip: what a device must find.
  // These strips are the last, and of no rectangle.
  std::vector<PowerPair> planted;
};

// Throws std::logic_error unless the tiles have as many pairs as the rectangles.
[[nodiscard]] PlannedPowers plan_powers(std::span<const PowerRectangle> rectangles, const PowerPlanner& planner);

// Plants a pair in each of `count` strips, or in fewer where there are not so many pairs of a strip to be met.
void plant(PlannedPowers& planned, std::span<const std::uint64_t> tables, unsigned count, std::uint64_t seed);

struct PowerCandidate {
  std::size_t rectangle = 0;
  PowerPair pair;
  friend auto operator<=>(const PowerCandidate&,
                          const PowerCandidate&) = default; // NOLINT(modernize-use-nullptr): C++20
};

// The pairs of strips that may be cases, sorted. Throws DeviceError when the device fails, FaultError when it has not
// found what was planted, and Interrupted.
[[nodiscard]] std::vector<PowerCandidate> search_powers(const PlannedPowers& planned, BoxSearch& device,
                                                        const Interrupt& interrupt = {});

// The positive numbers of a format as x, those and their opposites as y, subnormal ones among them: a rectangle for
// each pair of exponents and each sign of y.
[[nodiscard]] std::vector<PowerRectangle> power_cells(const Format& format);

// What searching a rectangle will come to, by formulas at some places: boxes, and pairs whose values are numbers of the
// grid and not beside 1.
struct PowerEstimate {
  double boxes = 0;
  double pairs = 0;
};
[[nodiscard]] PowerEstimate estimate_powers(const PowerRectangle& rectangle, const format::BreakpointGrid& grid,
                                            const BoxOptions& options);

} // namespace tmd::engine::boxes
