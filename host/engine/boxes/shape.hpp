// The shape of the boxes over a part of a cell: which coordinate their rows go along, how far their lines lean, and
// their sizes. Chosen in double: any shape is right, and a bad one is slow.
#pragma once

namespace tmd::engine::boxes {

// F about a place, in steps of the arguments: A·i² + B·i·j + C·j², and the terms of degree three.
struct Jet {
  double A = 0, B = 0, C = 0;
  double c30 = 0, c21 = 0, c12 = 0, c03 = 0;
};

// x^y with x = X·unit and y = Y·unit: F·(1 + ξ)^(y(1 + η))·e^(tη) with t = y·ln x, ξ = i/X, η = j/Y.
[[nodiscard]] Jet power_jet(double f, double significand_x, double significand_y, double y, double t);
// With the other coordinate along.
[[nodiscard]] Jet swapped(const Jet& q);
// In the coordinates (i − s·j, j).
[[nodiscard]] Jet leaned(const Jet& q, double s);
// Half of how far A·x² + B·x·y + C·y² reaches for |x| ≤ H and |y| ≤ V, as the kernels' body has it.
[[nodiscard]] double reach_of(const Jet& q, double H, double V);
// The unit of heights in a box: how far the form reaches, but not too little. Where as many pairs as a box may have
// hardly leave a plane, floats would not tell which point of the lattice is near its middle, and refuse each box.
[[nodiscard]] double unit_of(const Jet& q, double H, double V);
[[nodiscard]] double cubic_of(const Jet& q, double H, double V);

struct BoxShape {
  bool serves = false;
  int axis = 0; // rows go along X: 0; along Y: 1
  int lean = 0; // in units of 2^-16; a float tells it
  int width = 0;
  int height = 0;
  double delta = 0;   // the unit of heights
  double lambda3 = 0; // 8·H·V·delta
  [[nodiscard]] double half_width() const { return width / 2.0; }
  [[nodiscard]] double half_height() const { return height == 1 ? 0.25 : (height - 1) / 2.0; }
  [[nodiscard]] double pairs() const { return static_cast<double>(width) * height; }
};

struct ShapeLimits {
  double lambda3 = 64;
  double cubic = 1.0 / 64; // the cubic terms of delta, at most
  double reach = 1.0 / 8;  // of the arguments, at most
  double most_pairs = 1 << 20;
};

// The shape that costs least a pair, about a place with these significands; one that does not serve where boxes would
// be so small that their pairs are better looked at one by one.
[[nodiscard]] BoxShape shape_of(const Jet& given, double X, double Y, const ShapeLimits& limits);

} // namespace tmd::engine::boxes
