// Strips of tiles as kernels take them: rows of boxes over a rectangle, and the bounds of the errors in them.
#pragma once

#include "engine/boxes/parameters.hpp"
#include "engine/boxes/shape.hpp"
#include "number/bound.hpp"

#include <array>
#include <cstdint>
#include <functional>

namespace tmd::engine::boxes {

// Bounds, in spacings, of the distance of F from a box's polynomial or from an integer.
struct BoxLedger {
  number::Bound epsilon;  // 2^-K, the distance of a case
  number::Bound cubic;    // terms of degree three and beyond
  number::Bound value;    // F in fixed point, at the box's middle or at a pair
  number::Bound slopes;   // the linear terms, products in double
  number::Bound form;     // the quadratic form, products in double
  number::Bound function; // the tile's polynomial is not quite the function; 0 for x^y
  [[nodiscard]] number::Bound of_walk() const { return epsilon + cubic + value + slopes + form + function; }
  [[nodiscard]] number::Bound of_pair() const { return epsilon + value + function; }
};

struct PowerStrip {
  layout::box_strip kernel{};
  BoxLedger ledger;
  bool is_walked = false; // searched by boxes; else by lines
  [[nodiscard]] std::uint32_t rows() const {
    return static_cast<std::uint32_t>((kernel.across_end - kernel.across + kernel.height - 1) / kernel.height);
  }
  [[nodiscard]] std::uint64_t items() const { return std::uint64_t(rows()) * static_cast<std::uint64_t>(kernel.parts); }
};

struct BoxOptions {
  double lambda3 = 64;
  double cubic = 1.0 / 64; // the limits of ShapeLimits
  double most_pairs = 1 << 20;
  int part = 128;                       // most boxes of a row that a work-item walks
  double most_mixed = 0.06;             // bound of |xy| at a tile's corners, beyond which it is cut
  int fewest_boxes = 64;                // fewest boxes of a row, and rows, of tiles that are cut
  std::uint64_t fewest_pairs = 1 << 22; // of tiles that are cut because boxes do not serve everywhere
};

// The significands of x, or of y, in a tile: a half-open range.
struct SignificandRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  [[nodiscard]] std::uint32_t size() const { return end - first; }
  [[nodiscard]] double middle() const { return (first + end) / 2.0; }
};

// How far the pairs of a box are from its middle, at most.
struct BoxReach {
  double x = 0;
  double y = 0;
};
[[nodiscard]] BoxReach reach_of_box(const BoxShape& shape);

// The cheapest shape with the lambda3 of the options, or with less if it does not serve.
[[nodiscard]] BoxShape usual_shape(const Jet& jet, double X, double Y, const BoxOptions& options);

// The middles of the sides of a rectangle: those at both ends of x, then those of y.
[[nodiscard]] std::array<std::array<double, 2>, 4> ends_of(const SignificandRange& x, const SignificandRange& y);
// How bad a shape that serves is at the ends of x, and of y; more than 1: the rectangle should be cut along this
// coordinate. 0 if it has no room for boxes then.
[[nodiscard]] std::array<double, 2> unevenness_of(const BoxShape& shape, const SignificandRange& x,
                                                  const SignificandRange& y, const BoxOptions& options,
                                                  const std::function<Jet(double x, double y)>& jet_at);

// Rows of boxes of this shape over a rectangle; if it does not serve, boxes whose pairs are examined one by one.
[[nodiscard]] layout::box_strip rows_of_boxes(const SignificandRange& x, const SignificandRange& y,
                                              const BoxShape& shape, int part);
// Sets the units of the boxes, the tolerance and `accept` by the ledger. Returns false if the errors are too large for
// boxes of this shape; then the strip is as it was.
[[nodiscard]] bool bound_errors(PowerStrip& strip, const BoxShape& shape);

} // namespace tmd::engine::boxes
