// Tiles of pairs for any smooth function of two variables: on each a polynomial in fixed point, made by Arb, from which
// kernels make boxes (doc/theory/boxes.md, section 8).
#pragma once

#include "engine/boxes/strip.hpp"
#include "format/grid.hpp"
#include "function/pair_expression.hpp"
#include "tmd/integer.hpp"

#include <cstddef>
#include <cstdint>
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

// The plan of a search of some rectangles.
struct PlannedTiles {
  std::vector<PowerStrip> strips;         // each pair that may be a case is in one or two of them, or in `each`
  std::vector<TileRectangle> tiles;       // the tile of each strip
  std::vector<std::uint64_t> polynomials; // words of all tiles' polynomials
  std::vector<TileRectangle> each;        // small tiles without a polynomial: their pairs are examined one by one
  // Numbers of pairs.
  uint128 searched = 0;
  uint128 empty = 0; // in tiles whose values are near no breakpoint
  uint128 pairs_of_each = 0;

  void add(PlannedTiles other);
};

class TilePolynomial;

class TilePlanner {
public:
  TilePlanner(const function::Formula& formula, const format::BreakpointGrid& grid, int K, const BoxOptions& options);

  // Adds the tiles of a rectangle: each of its pairs is in one, unless there are more than most_one_by_one in `each`.
  void plan(const TileRectangle& rectangle, PlannedTiles& to) const;

private:
  struct Expansion;
  [[nodiscard]] bool expand(const TileRectangle& tile, Expansion& to) const;
  [[nodiscard]] bool add_strips(const TileRectangle& tile, const Expansion& f, PlannedTiles& to, bool& along_x) const;
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

} // namespace tmd::engine::boxes
