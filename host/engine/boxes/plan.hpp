// Plans of boxes for x^y and (1 + x)^y: a rectangle of pairs is cut into tiles, each with one shape of boxes for every
// binade of values. The errors of floats and polynomials are bounded over the whole tile.
#pragma once

#include "engine/boxes/shape.hpp"
#include "engine/boxes/strip.hpp"
#include "format/grid.hpp"
#include "number/bound.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tmd::engine::boxes {

// Pairs x = ±X·2^x_exponent and y = ±Y·2^y_exponent with X and Y in half-open ranges of a cell. X is below 2^24. For
// x^y x is positive, all x are on one side of 1 (1 itself is on neither), and Y is below 2^24. For (1 + x)^y x > -1,
// and y is an integer of 32 bits.
struct PowerRectangle {
  int x_exponent = 0;
  int y_exponent = 0;
  bool is_negative = false; // sign of y
  std::uint32_t x_first = 0;
  std::uint32_t x_end = 0;
  std::uint32_t y_first = 0;
  std::uint32_t y_end = 0;
  bool x_is_negative = false;
  bool is_compound = false; // (1 + x)^y
  [[nodiscard]] int x_sign() const { return x_is_negative ? -1 : 1; }
  [[nodiscard]] std::uint64_t pairs() const { return std::uint64_t(x_end - x_first) * (y_end - y_first); }
};

[[nodiscard]] std::array<PowerRectangle, 2> halves_of(const PowerRectangle& rectangle, bool along_x);

// log x, or log(1 + x), with the accuracy of a double.
[[nodiscard]] double logarithm_at(const PowerRectangle& rectangle, double X);
// The inverse of its derivative with respect to X.
[[nodiscard]] double inverse_slope_at(const PowerRectangle& rectangle, double X);

// The usual shape of boxes next to a place (x, y) of a rectangle whose values are in this binade.
[[nodiscard]] BoxShape power_shape(const PowerRectangle& rectangle, double x, double y, int exponent,
                                   const format::BreakpointGrid& grid, const BoxOptions& options);

// How a tile is treated.
enum class TileKind {
  empty,      // no pair is a case: values are between two neighbouring breakpoints, or beyond all of them
  given,      // x = 1: C23 prescribes the value; (1 + x)^1 is a sum
  itself,     // y = 1: each value is x, a breakpoint
  beside_one, // each case is next to the breakpoint 1, on one side of it
  full,       // each pair is examined: it is a case or exact, or no tile serves next to it
  search      // by strips
};
inline constexpr std::size_t tile_kinds = 6;

struct PowerTile {
  PowerRectangle pairs;
  TileKind kind = TileKind::empty;
  std::vector<PowerStrip> strips; // each pair that may be a case is in one of them
};

class PowerPlanner {
public:
  PowerPlanner(const format::BreakpointGrid& grid, int K, const BoxOptions& options);

  // Tiles that contain each pair of the rectangle once.
  [[nodiscard]] std::vector<PowerTile> plan(const PowerRectangle& rectangle) const;

private:
  void add(const PowerRectangle& rectangle, std::vector<PowerTile>& tiles) const;
  [[nodiscard]] BoxShape shape_at(const PowerRectangle& rectangle, double x, double y, int exponent) const;
  [[nodiscard]] bool is_even(const PowerRectangle& rectangle, const BoxShape& shape, int exponent, bool& along_x) const;
  [[nodiscard]] PowerStrip strip_of(const PowerRectangle& rectangle, const BoxShape& shape, int exponent) const;
  [[nodiscard]] BoxLedger ledger_of(const PowerRectangle& rectangle, const BoxShape& shape, int exponent) const;

  format::BreakpointGrid grid_;
  int K_;
  BoxOptions options_;
};

} // namespace tmd::engine::boxes
