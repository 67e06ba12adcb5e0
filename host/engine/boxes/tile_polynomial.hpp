// The polynomial of a tile in fixed point, as kernels take it, and the bounds of the errors that boxes make with it.
#pragma once

#include "engine/boxes/strip.hpp"
#include "function/pair_expression.hpp"
#include "number/arb.hpp"

#include <cstdint>
#include <vector>

namespace tmd::engine::boxes {

inline constexpr int tile_degree = TMD_DEGREE;

// F = Σ k·ξ^m·ν^n with integers k in units of 2^-64, where ξ = (X - x_middle)/2^x_bits, and ν likewise.
class TilePolynomial {
public:
  struct Frame {
    std::uint32_t x_middle = 0;
    std::uint32_t y_middle = 0;
    int x_bits = 1;
    int y_bits = 1;
    double x_half = 0; // greatest |X - x_middle| and |Y - y_middle| of the tile's pairs
    double y_half = 0;
  };

  // Rounds the coefficients of f, divided by 2^spacing.
  TilePolynomial(const function::PairSeries& f, const Frame& frame, int spacing);

  // Whether the kernels' words hold all numbers that they compute.
  [[nodiscard]] bool fits() const;
  // Whether all pairs of boxes with a pair of the tile are where |ξ|, |ν| ≤ 1.
  [[nodiscard]] bool has_room(const BoxReach& reach) const;
  void write(std::vector<std::uint64_t>& words) const;

  // The terms of the ledger except `epsilon`; rest: that of the Taylor polynomial, in spacings.
  [[nodiscard]] BoxLedger errors(const BoxShape& shape, const number::Bound& rest) const;
  // The form and cubic terms at a pair, in double.
  [[nodiscard]] Jet jet_at(double x, double y) const;

private:
  [[nodiscard]] number::Bound cubic(const BoxShape& shape) const;

  Frame frame_;
  std::vector<number::Integer> k_; // by rows of increasing m, each by increasing n
  number::Bound rounding_;         // of all coefficients together
};

} // namespace tmd::engine::boxes
