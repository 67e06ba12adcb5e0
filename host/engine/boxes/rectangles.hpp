// x^y over whole rectangles of pairs, or cells of a format: finds all pairs that may be cases, and accounts for every
// pair.
#pragma once

#include "engine/boxes/plan.hpp"
#include "engine/boxes/reference.hpp"
#include "engine/boxes/search.hpp"
#include "number/random.hpp"
#include "tmd/format.hpp"
#include "tmd/integer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tmd::engine::boxes {

// The plan of a search of several rectangles: their tiles and strips.
struct PlannedPowers {
  struct Tile {
    std::size_t rectangle = 0; // number of its rectangle
    PowerRectangle pairs;
  };
  std::vector<PowerStrip> strips;
  std::vector<std::size_t> rectangles; // the rectangle of each strip
  std::vector<Tile> beside_one;
  std::vector<Tile> full;
  // Numbers of pairs in tiles by their kind. Each pair of the rectangles is counted once.
  std::array<uint128, tile_kinds> pairs{};

  // Planted hits, which a device must find: pairs whose values are shifted onto a breakpoint, each in a copy of its row
  // of a strip. These strips are the last, and belong to no rectangle.
  std::vector<PowerPair> planted;
};

// Throws std::logic_error unless the tiles have as many pairs as the rectangles.
[[nodiscard]] PlannedPowers plan_powers(std::span<const PowerRectangle> rectangles, const PowerPlanner& planner);

// A copy of a row of a strip in which F is shifted so that a pair that is drawn lies on a breakpoint. Nothing if the
// pair belongs to another strip.
struct PlantedRow {
  PowerStrip strip;
  PowerPair pair;
};
[[nodiscard]] std::optional<PlantedRow> planted_row(const PowerStrip& strip, const SurfaceWords& words,
                                                    number::Random& random);

// Plants a pair in each of `count` strips, or in fewer if not so many strips have a pair that random trials find.
void plant(PlannedPowers& planned, const SurfaceWords& words, unsigned count, std::uint64_t seed);

struct PowerCandidate {
  std::size_t rectangle = 0;
  PowerPair pair;
  friend auto operator<=>(const PowerCandidate&,
                          const PowerCandidate&) = default; // NOLINT(modernize-use-nullptr): C++20
};

// The pairs of strips that may be cases, sorted. Throws DeviceError if the device fails, FaultError if it has not found
// every planted pair, and Interrupted.
[[nodiscard]] std::vector<PowerCandidate> search_powers(const PlannedPowers& planned, BoxSearch& device,
                                                        const Interrupt& interrupt = {});

// One rectangle for each pair of exponents and each sign of y: x is a positive number of a format, subnormal ones
// included, and y is one of these or its opposite.
[[nodiscard]] std::vector<PowerRectangle> power_cells(const Format& format);

// The cost of a rectangle, estimated by formulas at some places: its boxes, and its pairs whose values are in the
// format and not beside 1.
struct PowerEstimate {
  double boxes = 0;
  double pairs = 0;
};
[[nodiscard]] PowerEstimate estimate_powers(const PowerRectangle& rectangle, const format::BreakpointGrid& grid,
                                            const BoxOptions& options);

} // namespace tmd::engine::boxes
