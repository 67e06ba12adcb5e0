// Tiles of pairs for any smooth function of two variables: on each a polynomial in fixed point, made by Arb, from which
// kernels make boxes (doc/theory/boxes.md, section 8).
#pragma once

#include "engine/boxes/planned.hpp"
#include "format/grid.hpp"
#include "function/pair_expression.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tmd::engine::boxes {

// Numbers of one binade and sign: ±X·2^exponent with X in the range, below 2^24.
struct TileOperand {
  int exponent = 0;
  bool is_negative = false;
  SignificandRange range;
};

struct TileRectangle {
  TileOperand x;
  TileOperand y;
  [[nodiscard]] std::uint64_t pairs() const { return std::uint64_t(x.range.size()) * y.range.size(); }
};

// The most pairs for which MPFR stands in where no tile serves. TilePlanner does not go on beyond.
inline constexpr std::uint64_t most_one_by_one = std::uint64_t(1) << 16;

// The most pairs of a tile that has no boxes, because F is linear there or bends too much; a larger one is not cut into
// such, but left whole for the caller to refuse.
inline constexpr std::uint64_t most_pair_by_pair = std::uint64_t(1) << 30;

class TilePolynomial;

class TilePlanner {
public:
  TilePlanner(const function::Formula& formula, const format::BreakpointGrid& grid, int K, const BoxOptions& options);

  // Adds the tiles of a rectangle with this number: each of its pairs is in one, unless more than most_one_by_one are
  // in `full` tiles. A pair that may be a case is in one or two strips.
  void plan(const TileRectangle& rectangle, PlannedPairs& to, std::size_t number = 0) const;

  // A `full` tile of these rectangles, if a coarse look at them finds more than most_one_by_one pairs in such tiles.
  [[nodiscard]] std::optional<PowerRectangle> singular_place(std::span<const PowerRectangle> rectangles) const;

private:
  struct Expansion;
  [[nodiscard]] bool is_singular(const TileRectangle& tile) const;
  [[nodiscard]] bool expand(const TileRectangle& tile, Expansion& to) const;
  void add(const TileRectangle& rectangle, PlannedPairs& to, std::size_t number) const;
  [[nodiscard]] bool add_strips(const TileRectangle& tile, const Expansion& f, PlannedPairs& to, bool& along_x) const;
  [[nodiscard]] BoxShape shape_of_tile(const TileRectangle& tile, const TilePolynomial& f, double x, double y) const;
  [[nodiscard]] bool is_even(const TileRectangle& tile, const TilePolynomial& f, const BoxShape& shape,
                             bool& along_x) const;
  // rest: of the Taylor polynomial, in spacings.
  [[nodiscard]] PowerStrip strip_of(const TileRectangle& tile, const TilePolynomial& f, const number::Bound& rest,
                                    const BoxShape& shape, std::vector<std::uint64_t>& polynomials) const;

  const function::Formula& formula_;
  format::BreakpointGrid grid_;
  int K_;
  BoxOptions options_;
};

// Both halves of its x, or of its y.
[[nodiscard]] std::array<TileRectangle, 2> halves_of(const TileRectangle& tile, bool along_x);
[[nodiscard]] TileRectangle tile_of(const PowerRectangle& rectangle);
[[nodiscard]] PowerRectangle rectangle_of(const TileRectangle& tile);

// Plans rectangles up to the one with which there are more than most_one_by_one pairs in `full` tiles.
[[nodiscard]] PlannedPairs plan_tiles(std::span<const PowerRectangle> rectangles, const TilePlanner& planner);

// The cost of a rectangle by the form at its middle, as estimate_powers() has it.
[[nodiscard]] PairEstimate estimate_tiles(const PowerRectangle& rectangle, const function::Formula& formula,
                                          const format::BreakpointGrid& grid, const BoxOptions& options);

} // namespace tmd::engine::boxes
