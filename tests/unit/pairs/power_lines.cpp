// Lines of pow and compoundn: each pair is in one. Units of lines of pow, where an estimate at a few places of a cell
// would miss what it costs.
#include "pairs/power_lines.hpp"
#include "tmd/format.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

namespace {

using namespace tmd;

TEST_CASE("pow: what large y cost is seen next to 1, where alone they have values") {
  const pairs::PairJob job{function::find_pair_function("pow"), find_format("binary32"), Rounding::all, 44};
  const pairs::PowerLines lines(job);
  // y of the binade of 2^13: x^y is a number of the format where |log2 x| < 149/2^13.
  const Argument y{false, uint128(1) << 23, -10};
  for (const Argument& x : {Argument{false, uint128(1) << 23, -24}, Argument{false, uint128(1) << 23, -23}}) {
    const std::uint64_t first = lines.line_of({x, y});
    const std::uint64_t last = first + (std::uint64_t(1) << 23);
    const std::vector<pairs::PowerUnit> units = pairs::power_units(lines, {int128(first), int128(last)}, job, 0x1p30);
    double boxes = 0;
    double most = 0;
    std::uint64_t next = first;
    for (const pairs::PowerUnit& unit : units) {
      CHECK(unit.first == next);
      next = unit.last;
      boxes += unit.boxes;
      most = std::max(most, unit.boxes);
    }
    CHECK(next == last);
    CHECK(boxes > 0x1p32);
    CHECK(most <= 0x1p30);
  }
}

TEST_CASE("lines: each pair is in one, of pow and of compoundn") {
  for (const char* name : {"pow", "compoundn"}) {
    const pairs::PairJob job{function::find_pair_function(name), {"4 bits", 4, -6, 7}, Rounding::all, 8};
    const pairs::PowerLines lines(job);
    std::uint64_t number = 0;
    uint128 pairs = 0;
    for (const engine::boxes::PowerRectangle& cell : lines.rectangles(0, lines.size())) {
      for (std::uint32_t x = cell.x_first; x < cell.x_end; ++x, ++number)
        for (const std::uint32_t y : {cell.y_first, cell.y_end - 1})
          CHECK(lines.line_of(pairs::operands_of(cell, {x, y})) == number);
      pairs += cell.pairs();
    }
    CHECK(number == lines.size());
    CHECK(bool(pairs == lines.pairs(0, lines.size())));
  }
  const pairs::PairJob job{function::find_pair_function("compoundn"), find_format("binary32"), Rounding::all, 44};
  const pairs::PowerLines lines(job);
  const Argument x{true, uint128(1) << 23, -24};
  CHECK_NOTHROW((void)lines.line_of({x, Argument{true, uint128(1) << 31, 0}}));
  CHECK_THROWS_AS((void)lines.line_of({x, Argument{false, uint128(1) << 31, 0}}), UsageError);
  CHECK_THROWS_AS((void)lines.line_of({Argument{true, uint128(1) << 23, -23}, Argument{false, 2, 0}}), UsageError);
}

} // namespace
