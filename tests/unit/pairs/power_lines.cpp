// Lines of pow and compoundn: each pair is in one. Units of lines of pow, where an estimate at a few places of a cell
// would miss what it costs, and of compoundn, where boxes do not serve everywhere: they cost what plans have.
#include "pairs/power_lines.hpp"
#include "engine/boxes/tables.hpp"
#include "engine/boxes/tiles.hpp"
#include "function/pair_expression.hpp"
#include "number/random.hpp"
#include "pairs/pair_planner.hpp"
#include "tmd/format.hpp"

#include <algorithm>
#include <array>
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
    double cost = 0;
    double most = 0;
    std::uint64_t next = first;
    for (const pairs::PowerUnit& unit : units) {
      CHECK(unit.first == next);
      next = unit.last;
      cost += unit.cost;
      most = std::max(most, unit.cost);
    }
    CHECK(next == last);
    CHECK(cost > 0x1p32);
    CHECK(most <= 0x1p30);
  }
}

// What some lines cost as they are planned: each of some random pairs as its part of a box, or as a pair alone.
double planned_cost(const pairs::PairJob& job, const pairs::PowerLines& lines, const pairs::PowerUnit& unit) {
  constexpr std::uint64_t places = 8; // a plan of all lines would take too long
  constexpr std::uint64_t most_lines = 1 << 10;
  constexpr int pairs_of_place = 128;
  const std::vector<std::uint64_t> tables = engine::boxes::power_tables();
  pairs::PairPlanner planner(job, {});
  number::Random random(1);
  engine::boxes::PairEstimate found;
  for (std::uint64_t place = 0; place < places; ++place) {
    const std::uint64_t first = unit.first + (unit.last - unit.first) * (2 * place + 1) / (2 * places);
    const std::uint64_t last = std::min(first + most_lines, unit.last);
    const engine::boxes::PowerRectangle r = lines.rectangles(first, last).front();
    const engine::boxes::PlannedPairs planned = planner.plan(std::array{r});
    const double share = static_cast<double>(lines.pairs(unit.first, unit.last)) / (places * pairs_of_place);
    for (int i = 0; i < pairs_of_place; ++i) {
      const engine::boxes::PowerPair pair{r.x_first + static_cast<std::uint32_t>(random.below(r.x_end - r.x_first)),
                                          r.y_first + static_cast<std::uint32_t>(random.below(r.y_end - r.y_first))};
      for (const engine::boxes::PowerStrip& strip : planned.strips) {
        const engine::boxes::layout::box_strip& s = strip.kernel;
        const auto along = static_cast<int>(s.axis == 0 ? pair.x : pair.y - s.base);
        const auto across = static_cast<int>(s.axis == 0 ? pair.y - s.base : pair.x);
        if (along < s.along || along >= s.along_end || across < s.across || across >= s.across_end ||
            !engine::boxes::value_on_host(tables, s, pair))
          continue;
        if (strip.is_walked)
          found.boxes += share / (double(s.width) * s.height);
        else
          found.single += share;
      }
    }
  }
  return found.cost();
}

TEST_CASE("compoundn: units cost what they are estimated to, also where pairs are decided one by one") {
  const pairs::PairJob job{function::find_pair_function("compoundn"), find_format("binary32"), Rounding::all, 44};
  const pairs::PowerLines lines(job);
  struct Cell {
    bool x_is_negative;
    int x_exponent;
    bool n_is_negative;
    int n_exponent;
  };
  for (const Cell& cell : {Cell{false, -9, false, 14},
                           {false, -10, false, 13},
                           {false, -10, true, 14},
                           {false, -12, false, 16}, // boxes serve all of it
                           {true, -9, false, 13},
                           {true, -7, true, 13}}) {
    const pairs::Operands x_n{Argument{cell.x_is_negative, uint128(1) << 23, cell.x_exponent - 23},
                              Argument{cell.n_is_negative, uint128(1) << cell.n_exponent, 0}};
    const std::uint64_t first = lines.line_of(x_n);
    for (const pairs::PowerUnit& unit :
         pairs::power_units(lines, {int128(first), int128(first + (std::uint64_t(1) << 23))}, job, 0x1p33)) {
      const double ratio = planned_cost(job, lines, unit) / unit.cost;
      CHECK(ratio > 0.4);
      CHECK(ratio < 2.5);
    }
  }
}

// Formats of few bits have the exponents of binary64.
TEST_CASE("expressions: estimates are numbers where products of derivatives are beyond doubles") {
  const Format format = find_format("p5");
  const pairs::PairJob job{function::find_pair_function("pow"), format, Rounding::all, 4};
  const auto cost = [&](const char* text, int x_exponent, int y_exponent) {
    const function::PairExpression expression = function::make_pair_expression(text);
    const engine::boxes::PowerRectangle cell{x_exponent, y_exponent, false, 16, 32, 16, 32};
    return engine::boxes::estimate_tiles(cell, *expression.formula, job.grid(), {}).cost();
  };
  for (const double one :
       {cost("x^y", -1, 3), cost("cosh(x*y)+cosh(y)", 2, -2), cost("sin(x)*y", 1000, -4), cost("x/y", -1000, 0)}) {
    CHECK(one >= 256.0 / 0x1p20); // boxes have 2^20 pairs at most
    CHECK(one <= 256.0 / 48);
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
