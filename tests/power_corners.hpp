// Places all over x^y in binary32 where rectangles of pairs begin: large, moderate and small |y·ln x|, next to x = 1
// and to y = 1, subnormal results, next to overflow.
#pragma once

#include "host/engine/boxes/plan.hpp"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

struct PowerCorner {
  int ex;
  int ey;
  bool is_negative; // y
  double x;         // of [1, 2)
  double y;

  [[nodiscard]] tmd::engine::boxes::PowerRectangle rectangle(std::uint32_t width, std::uint32_t height) const {
    tmd::engine::boxes::PowerRectangle result{ex - 23, ey - 23, is_negative};
    result.x_first = static_cast<std::uint32_t>(std::ldexp(x, 23));
    result.y_first = static_cast<std::uint32_t>(std::ldexp(y, 23));
    result.x_end = result.x_first + width;
    result.y_end = result.y_first + height;
    return result;
  }
};

inline std::vector<PowerCorner> power_corners_and(std::initializer_list<PowerCorner> more) {
  std::vector<PowerCorner> result{
      {0, 6, false, 1.55, 1.3},      {30, 1, false, 1.3, 1.2}, {0, 1, false, 1.7, 1.6}, {-100, -1, false, 1.2, 1.3},
      {3, 3, true, 1.4, 1.5},        {1, -6, false, 1.5, 1.5}, {5, 0, false, 1.3, 1.0}, {-97, 0, false, 1.9, 1.43},
      {100, 0, false, 1.01, 1.2695}, {0, 8, true, 1.0404, 1.2}};
  result.insert(result.end(), more);
  return result;
}
