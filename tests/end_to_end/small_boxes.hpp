// Boxes for cells of a few bits: small ones, so that a cell has many.
#pragma once

#include "host/engine/boxes/strip.hpp"

namespace tmd::test {

inline engine::boxes::BoxOptions small_boxes() {
  engine::boxes::BoxOptions options;
  options.lambda3 = 16;
  options.cubic = 0.25;
  options.fewest_boxes = 4;
  options.fewest_pairs = 1 << 8;
  options.part = 16;
  return options;
}

} // namespace tmd::test
