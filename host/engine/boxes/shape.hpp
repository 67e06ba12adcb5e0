// The shape of the boxes over a part of a cell: the coordinate along which their rows go, the lean of their lines, and
// their sizes. It is chosen in double: any shape is right, but a bad one is slow.
#pragma once

namespace tmd::engine::boxes {

// F near a place, in steps of the arguments: A·i² + B·i·j + C·j², and the terms of degree three.
struct Jet {
  double A = 0, B = 0, C = 0;
  double c30 = 0, c21 = 0, c12 = 0, c03 = 0;
};

// The jet of x^y with x = X·unit and y = Y·unit: F·(1 + ξ)^(y(1 + η))·e^(tη) with t = y·ln x, ξ = i/X, η = j/Y.
[[nodiscard]] Jet power_jet(double f, double significand_x, double significand_y, double y, double t);
// The jet with both coordinates exchanged.
[[nodiscard]] Jet swapped(const Jet& q);
// The jet in the coordinates (i − s·j, j).
[[nodiscard]] Jet leaned(const Jet& q, double s);
// Half of the range of A·x² + B·x·y + C·y² for |x| ≤ H and |y| ≤ V, as the kernels' body has it.
[[nodiscard]] double reach_of(const Jet& q, double H, double V);
// The unit of heights in a box: the range of the form, but not too little. If all pairs of a large box are almost in a
// plane, floats could not decide which point of the lattice is near its middle, and would refuse each box.
[[nodiscard]] double unit_of(const Jet& q, double H, double V);
[[nodiscard]] double cubic_of(const Jet& q, double H, double V);

struct BoxShape {
  bool serves = false;
  int axis = 0; // rows go along X: 0; along Y: 1
  int lean = 0; // in units of 2^-16; exact in a float
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
  double cubic = 1.0 / 64; // bound of the cubic terms, in units of delta
  double reach = 1.0 / 8;  // bound of the sizes, relative to the arguments
  double most_pairs = 1 << 20;
};

// The cheapest shape near a place with these significands. It does not serve if boxes would be so small that their
// pairs are better looked at one by one.
[[nodiscard]] BoxShape shape_of(const Jet& given, double X, double Y, const ShapeLimits& limits);

} // namespace tmd::engine::boxes
