#include "engine/boxes/shape.hpp"

#include <algorithm>
#include <cmath>

namespace tmd::engine::boxes {

namespace {

constexpr double most_lean = 0x1p14;
constexpr double most_delta = 0.1;  // above, a basis has vectors half a turn high
constexpr double fewest_pairs = 48; // of a box, which takes as long as about 16 single pairs
// Instructions for a box, and those for hits caused by the cubic terms: a hit holds up 32 work-items.
constexpr double of_box = 2300;
constexpr double of_cubic = 2240;

struct Half {
  double H = 0;
  double V = 0;
  double score = 0;
};

// The largest sizes with this ratio that the limits allow.
Half sizes_of(const Jet& jet, double lean, double ratio, double along, double across, const ShapeLimits& limits) {
  const double of_square = reach_of(jet, ratio, 1);
  if (!(of_square > 0))
    return {};
  double V = std::pow(limits.lambda3 / (8 * ratio * of_square), 0.25);
  V = std::min(V, std::sqrt(limits.most_pairs / (4 * ratio)));
  V = std::min({V, limits.reach * along / ratio, limits.reach * across});
  if (lean != 0)
    V = std::min(V, 2 * limits.reach * along / std::fabs(lean));
  // The share of the cubic terms grows with the sizes.
  const double share = cubic_of(jet, ratio * V, V) / unit_of(jet, ratio * V, V);
  if (share > limits.cubic)
    V *= limits.cubic / share;
  Half result{ratio * V, V, 0};
  if (result.H < 1 || V < 0.25)
    return {};
  const double delta = unit_of(jet, result.H, V);
  const double cubic = std::min(1.0, limits.lambda3 * cubic_of(jet, result.H, V) / delta);
  result.score = 4 * result.H * V / (of_box + of_cubic * cubic);
  return result;
}

// Odd numbers of pairs and lines near twice the half sizes, for the same lambda3.
void round_sizes(const Jet& jet, const Half& half, const ShapeLimits& limits, BoxShape& shape) {
  shape.height = half.V < 0.5 ? 1 : 2 * static_cast<int>(half.V) + 1;
  const double V = shape.half_height();
  double low = 0.5;
  double high = std::min(2 * half.H, limits.most_pairs / (2 * shape.height)) + 1;
  for (int step = 0; step < 40; ++step) {
    const double H = (low + high) / 2;
    (8 * H * V * reach_of(jet, H, V) < limits.lambda3 ? low : high) = H;
  }
  shape.width = std::max(3, 2 * static_cast<int>(low) + 1);
  shape.delta = unit_of(jet, shape.half_width(), V);
  shape.lambda3 = 8 * shape.half_width() * V * shape.delta;
  shape.serves = shape.delta > 0 && shape.delta < most_delta && shape.pairs() >= fewest_pairs;
}

} // namespace

Jet power_jet(double f, double X, double Y, double y, double t) {
  Jet q;
  q.A = f * y * (y - 1) / 2 / (X * X);
  q.B = f * y * (1 + t) / (X * Y);
  q.C = f * t * t / 2 / (Y * Y);
  q.c30 = f * y * (y - 1) * (y - 2) / 6 / (X * X * X);
  q.c21 = f * y * (y - 0.5 + t * (y - 1) / 2) / (X * X * Y);
  q.c12 = f * y * t * (1 + t / 2) / (X * Y * Y);
  q.c03 = f * t * t * t / 6 / (Y * Y * Y);
  return q;
}

Jet swapped(const Jet& q) { return {q.C, q.B, q.A, q.c03, q.c12, q.c21, q.c30}; }

Jet leaned(const Jet& q, double s) {
  Jet r = q;
  r.B = q.B + 2 * q.A * s;
  r.C = q.C + s * (q.B + q.A * s);
  r.c21 = q.c21 + 3 * q.c30 * s;
  r.c12 = q.c12 + s * (2 * q.c21 + 3 * q.c30 * s);
  r.c03 = q.c03 + s * (q.c12 + s * (q.c21 + q.c30 * s));
  return r;
}

double reach_of(const Jet& q, double H, double V) {
  return (std::fabs(q.A) * H * H + std::fabs(q.C) * V * V) / 2 + std::fabs(q.B) * H * V;
}

double unit_of(const Jet& q, double H, double V) {
  constexpr double least = 0x1p-16;
  return std::max(reach_of(q, H, V), least);
}

double cubic_of(const Jet& q, double H, double V) {
  return std::fabs(q.c30) * H * H * H + std::fabs(q.c21) * H * H * V + std::fabs(q.c12) * H * V * V +
         std::fabs(q.c03) * V * V * V;
}

BoxShape shape_of(const Jet& given, double X, double Y, const ShapeLimits& limits) {
  BoxShape best;
  double best_score = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const Jet q = axis == 0 ? given : swapped(given);
    const double along = axis == 0 ? X : Y;
    const double across = axis == 0 ? Y : X;
    for (const double share : {1.0, 0.5, 0.0}) { // share of the lean at which the form has no mixed term
      const double lean = share == 0 ? 0 : -q.B / (2 * q.A) * share;
      if (!(std::fabs(lean) < most_lean))
        continue;
      const auto steps = static_cast<int>(static_cast<float>(std::lrint(lean * 65536)));
      const Jet l = leaned(q, steps / 65536.0);
      const double even = std::sqrt(std::fabs(l.C / l.A));
      const double middle = even > 1e-7 && even < 1e7 ? even : along / across;
      for (double power = -10; power <= 10; power += 0.5) {
        const Half half = sizes_of(l, lean, middle * std::exp2(power), along, across, limits);
        if (half.score <= best_score * 1.02)
          continue;
        BoxShape shape;
        shape.axis = axis;
        shape.lean = steps;
        round_sizes(l, half, limits, shape);
        if (!shape.serves)
          continue;
        best = shape;
        best_score = half.score;
      }
    }
  }
  return best;
}

} // namespace tmd::engine::boxes
