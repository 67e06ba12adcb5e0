// Plans of boxes for pairs of any function, and their search on a device: strips of tiles, planted pairs among them,
// and tiles whose pairs need none.
#pragma once

#include "engine/boxes/plan.hpp"
#include "engine/boxes/reference.hpp"
#include "engine/boxes/search.hpp"
#include "number/random.hpp"
#include "tmd/integer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tmd::engine::boxes {

// The plan of a search of several rectangles: their tiles and strips.
struct PlannedPairs {
  struct Tile {
    std::size_t rectangle = 0; // number of its rectangle
    PowerRectangle pairs;
  };
  std::vector<PowerStrip> strips;
  std::vector<std::size_t> rectangles;    // the rectangle of each strip
  std::vector<std::uint64_t> polynomials; // words of the tiles' polynomials; none for x^y
  std::vector<Tile> beside_one;
  std::vector<Tile> full;
  // Numbers of pairs in tiles by their kind. Each pair of the rectangles is counted once.
  std::array<uint128, tile_kinds> pairs{};

  // Planted hits, which a device must find: pairs whose values are shifted onto a breakpoint, each in a copy of its row
  // of a strip. These strips are the last, and belong to no rectangle.
  std::vector<PowerPair> planted;

  [[nodiscard]] uint128& pairs_of(TileKind kind) { return pairs.at(static_cast<std::size_t>(kind)); }
  [[nodiscard]] uint128 pairs_of(TileKind kind) const { return pairs.at(static_cast<std::size_t>(kind)); }
  [[nodiscard]] bool is_of_tiles() const { return !polynomials.empty(); }
  // Throws std::logic_error unless the tiles have as many pairs as these rectangles.
  void require_all_of(std::span<const PowerRectangle> all) const;
};

// What a rectangle is estimated to have.
struct PairEstimate {
  double boxes = 0;
  double single = 0; // pairs where boxes do not serve, which are decided one by one
  double pairs = 0;  // all pairs whose values are in the format and not beside 1
  // The time that it takes, as a number of boxes. On an H200 a box takes 0.15 ns, and such a pair 0.034 ns.
  [[nodiscard]] double cost() const { return boxes + 0.22 * single; }
};

// A copy of a row of a strip in which F is shifted so that a pair that is drawn lies on a breakpoint. Nothing if the
// pair belongs to another strip.
struct PlantedRow {
  PowerStrip strip;
  PowerPair pair;
};
[[nodiscard]] std::optional<PlantedRow> planted_row(const PowerStrip& strip, const SurfaceWords& words,
                                                    number::Random& random);

// Plants a pair in each of `count` strips, or in fewer if not so many strips have a pair that random trials find.
// tables: those of x^y, for plans without polynomials.
void plant(PlannedPairs& planned, const SurfaceWords& tables, unsigned count, std::uint64_t seed);

struct PairCandidate {
  std::size_t rectangle = 0;
  PowerPair pair;
  friend auto operator<=>(const PairCandidate&,
                          const PairCandidate&) = default; // NOLINT(modernize-use-nullptr): C++20
};

// The pairs of strips that may be cases, each once, sorted. Throws DeviceError if the device fails, FaultError if it
// has not found every planted pair, and Interrupted. counted: called with their number again and again.
[[nodiscard]] std::vector<PairCandidate> search_planned(const PlannedPairs& planned, BoxSearch& device,
                                                        const Interrupt& interrupt = {},
                                                        const std::function<void(std::size_t)>& counted = {});

} // namespace tmd::engine::boxes
