// Places all over (1 + x)^n in binary32 where rectangles of pairs begin: x of both signs from next to -1 to above 1,
// both ways in which the logarithm is computed and the border between them, n of up to 31 bits of both signs, |n·log(1
// + x)| large and small, subnormal results, next to overflow.
#pragma once

#include "host/engine/boxes/plan.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

struct CompoundCorner {
  int x_sign;
  int ex;
  double x; // of [1, 2)
  std::int64_t n;

  [[nodiscard]] tmd::engine::boxes::PowerRectangle rectangle(std::uint32_t width, std::uint32_t height) const {
    tmd::engine::boxes::PowerRectangle result{ex - 23, 0, n < 0};
    result.x_is_negative = x_sign < 0;
    result.is_compound = true;
    result.x_first = static_cast<std::uint32_t>(std::ldexp(x, 23));
    result.y_first = static_cast<std::uint32_t>(n < 0 ? -n : n);
    result.x_end = result.x_first + width;
    result.y_end = result.y_first + height;
    return result;
  }
};

inline std::vector<CompoundCorner> compound_corners() {
  return {{1, -10, 1.3, 20000},
          {-1, -11, 1.99, 30000},
          {1, -12, 1.9, 120000},
          {-1, -12, 1.2, -250000},
          {1, -20, 1.01, 80000000},
          {-1, -25, 1.5, 1900000000},
          {1, -26, 1.7, -2000000000},
          {-1, -28, 1.1, 2147479551},
          {1, -30, 1.6, -2147479552},
          {1, -33, 1.4, 1073741824},
          {-1, -38, 1.8, 1500000000},
          {1, -24, 1.2, 1240000000},
          {-1, -24, 1.25, 1200000000},
          {1, -7, 1.5, 3000},
          {1, -18, 1.5, -1000000},
          {-1, -14, 1.7, 100000},
          {1, -1, 1.3, 90},
          {-1, -2, 1.3, 100},
          {1, 2, 1.25, 10},
          {-1, -1, 1.9, 3}};
}
