// Whole cells of x^y with few bits, each pair by brute force against the plan and its walk on the host: none is missed,
// whatever the rounding, and a smaller bound costs cases.
#include "compound_corners.hpp"
#include "end_to_end/small_boxes.hpp"
#include "host/engine/boxes/reference.hpp"
#include "host/engine/boxes/tables.hpp"
#include "power_corners.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace tmd::test {

namespace {

const std::vector<std::uint64_t>& tables() {
  static const std::vector<std::uint64_t> all = engine::boxes::power_tables();
  return all;
}

// The binade of x or y: exponents of the first number, and significands of `precision` bits.
engine::boxes::PowerRectangle cell_of(int precision, int ex, int ey, bool is_negative) {
  const auto first = std::uint32_t(1) << (precision - 1);
  return {ex - precision + 1, ey - precision + 1, is_negative, first, 2 * first, first, 2 * first};
}

// Distance from the nearest breakpoint, in spacings; 1 if there is none.
long double distance_of(const format::BreakpointGrid& grid, long double exponent) {
  int binade = static_cast<int>(std::floor(exponent));
  if (grid.is_bounded() && binade > grid.max_exponent)
    return 1;
  binade = grid.is_bounded() ? std::max(binade, grid.min_exponent) : binade;
  const long double f = std::exp2(exponent - grid.spacing_exponent(binade)) - (grid.shifted() ? 0.5L : 0.0L);
  const long double nearest = std::rint(f);
  return nearest < (grid.shifted() ? 0 : 1) ? 1 : std::fabs(f - nearest);
}

// The verdicts on each pair of a rectangle.
template <typename Value> class Pairs {
public:
  explicit Pairs(const engine::boxes::PowerRectangle& r) : r_(r), values_(r.pairs()) {}
  Value& operator[](const engine::boxes::PowerPair& pair) {
    return values_[(pair.x - r_.x_first) * std::size_t(r_.y_end - r_.y_first) + pair.y - r_.y_first];
  }

private:
  engine::boxes::PowerRectangle r_;
  std::vector<Value> values_;
};
template <typename Take> void each_pair(const engine::boxes::PowerRectangle& r, Take take) {
  for (std::uint32_t x = r.x_first; x < r.x_end; ++x)
    for (std::uint32_t y = r.y_first; y < r.y_end; ++y)
      take(engine::boxes::PowerPair{x, y});
}

// log2 x, or log2(1 + x).
long double logarithm_of(const engine::boxes::PowerRectangle& r, std::uint32_t x) {
  const long double value = std::ldexp(static_cast<long double>(x), r.x_exponent);
  if (r.is_compound)
    return std::log1p(r.x_sign() * value) / std::log(2.0L);
  return std::fabs(value - 1) < 0.25L ? std::log1p(value - 1) / std::log(2.0L) : std::log2(value);
}

// The logarithm of a pair's value, y·log2 x or y·log2(1 + x).
long double exponent_of(const engine::boxes::PowerRectangle& r, const engine::boxes::PowerPair& pair) {
  return (r.is_negative ? -1 : 1) * std::ldexp(static_cast<long double>(pair.y), r.y_exponent) *
         logarithm_of(r, pair.x);
}

// The pairs that are cases, by brute force.
Pairs<char> cases_of(const engine::boxes::PowerRectangle& r, const format::BreakpointGrid& grid, int bits) {
  const long double epsilon = std::ldexp(1.0L, -bits);
  Pairs<char> result(r);
  for (std::uint32_t x = r.x_first; x < r.x_end; ++x) {
    const long double log2 = logarithm_of(r, x);
    for (std::uint32_t y = r.y_first; y < r.y_end; ++y) {
      const long double power = (r.is_negative ? -1 : 1) * std::ldexp(static_cast<long double>(y), r.y_exponent);
      result[{x, y}] = distance_of(grid, power * log2) < epsilon;
    }
  }
  return result;
}

struct Tally {
  std::uint64_t pairs = 0;
  std::uint64_t cases = 0;
  std::uint64_t missed = 0;
  std::uint64_t false_ones = 0;
  std::uint64_t wrong_tiles = 0; // pairs in tiles that should have no cases, or nothing but cases
  std::uint64_t uncovered = 0;   // pairs that lie in no tile, or in several
  std::uint64_t each = 0;        // pairs that plans have evaluated one by one
  engine::boxes::BoxCounts counts;
};

// tolerance: used for the walk over boxes instead of their ledgers' own.
void search(const engine::boxes::PowerRectangle& cell, const format::BreakpointGrid& grid, int bits,
            const engine::boxes::BoxOptions& options, Tally& sum,
            double (*tolerance)(const engine::boxes::BoxLedger&) = nullptr) {
  const engine::boxes::PowerPlanner planner(grid, bits, options);
  Pairs<char> cases = cases_of(cell, grid, bits);
  Pairs<char> found(cell);
  Pairs<char> covered(cell);
  for (const engine::boxes::PowerTile& tile : planner.plan(cell)) {
    each_pair(tile.pairs, [&](const engine::boxes::PowerPair& pair) {
      ++covered[pair];
      const bool is_case = cases[pair] != 0;
      if (tile.kind == engine::boxes::TileKind::empty || tile.kind == engine::boxes::TileKind::full)
        sum.wrong_tiles += (tile.kind == engine::boxes::TileKind::full) != is_case;
      if (tile.kind == engine::boxes::TileKind::beside_one && is_case)
        sum.wrong_tiles += std::fabs(exponent_of(cell, pair)) > std::ldexp(1.0L, -grid.precision - 1);
      if (tile.kind != engine::boxes::TileKind::empty && tile.kind != engine::boxes::TileKind::search)
        found[pair] = cases[pair];
    });
    for (engine::boxes::PowerStrip strip : tile.strips) {
      if (tolerance != nullptr && strip.is_walked)
        strip.kernel.tolerance =
            static_cast<float>(tolerance(strip.ledger) * std::ldexp(static_cast<double>(strip.kernel.z_unit), 64));
      sum.each += strip.is_walked ? 0 : tile.pairs.pairs();
      for (const engine::boxes::PowerPair& pair : engine::boxes::search_on_host(tables(), strip, sum.counts))
        found[pair] = 1;
    }
  }
  each_pair(cell, [&](const engine::boxes::PowerPair& pair) {
    ++sum.pairs;
    sum.cases += cases[pair] != 0;
    sum.missed += cases[pair] != 0 && found[pair] == 0;
    sum.false_ones += cases[pair] == 0 && found[pair] != 0;
    sum.uncovered += covered[pair] != 1;
  });
}

void check(const Tally& sum) {
  CHECK(sum.missed == 0);
  CHECK(sum.false_ones <= sum.cases / 1000 + 2);
  CHECK(sum.wrong_tiles == 0);
  CHECK(sum.uncovered == 0);
}

} // namespace

TEST_CASE("boxes: whole cells of 8 bits, subnormal results and overflow among them") {
  const format::BreakpointGrid grid{Rounding::all, 8, -14, 15};
  Tally sum;
  for (int ex = -3; ex <= 3; ++ex)
    for (int ey = -8; ey <= 4; ++ey)
      for (const bool is_negative : {false, true})
        search(cell_of(8, ex, ey, is_negative), grid, (ex + ey) % 2 == 0 ? 8 : 5, small_boxes(), sum);
  check(sum);
  CHECK(sum.cases > 5000);
  CHECK(sum.counts.boxes > 1000);
  MESSAGE(sum.pairs << " pairs, " << sum.cases << " cases, " << sum.counts.boxes << " boxes, " << sum.counts.refused
                    << " refused, " << sum.counts.hits << " hits, one by one " << sum.each);
}

TEST_CASE("boxes: each rounding, with 9 and 10 bits") {
  for (const Rounding rounding : {Rounding::all, Rounding::nearest, Rounding::directed}) {
    Tally sum;
    int turn = 0;
    for (const auto& [ex, ey] : {std::pair(0, 1), {1, 2}, {-1, 3}, {2, -2}, {-5, 0}, {4, 1}})
      for (const int precision : {9, 10})
        if (turn++ % 3 == 0 || tries_all)
          search(cell_of(precision, ex, ey, (ex + ey) % 2 != 0), {rounding, precision, -14, 15}, 9, small_boxes(), sum);
    check(sum);
    CHECK(sum.cases > 1000);
    MESSAGE(sum.pairs << " pairs, " << sum.cases << " cases, " << sum.counts.boxes << " boxes, " << sum.counts.refused
                      << " refused, " << sum.counts.hits << " hits, one by one " << sum.each);
  }
}

TEST_CASE("boxes: rectangles of binary32, pair by pair in long double") {
  for (const PowerCorner& corner : power_corners_and({{7, -1, false, 1.1, 2 - 0x1p-13}, {40, -5, false, 1.2, 1.9}})) {
    Tally sum;
    search(corner.rectangle(1 << 10, 1 << 9), {Rounding::all, 24, -126, 127}, 12, engine::boxes::BoxOptions{}, sum);
    MESSAGE(corner.ex << ' ' << corner.ey << ": " << sum.cases << " cases, " << sum.counts.boxes << " boxes, "
                      << sum.counts.refused << " refused, " << sum.counts.hits << " hits, one by one " << sum.each);
    CHECK(sum.missed == 0);
    CHECK(sum.false_ones <= 1);
    CHECK(sum.wrong_tiles == 0);
    CHECK(sum.cases > 80);
  }
}

TEST_CASE("boxes: without a term of the ledger, cases are missed") {
  const auto missed = [](double (*tolerance)(const engine::boxes::BoxLedger&), int bits) {
    Tally sum;
    for (const auto& [ex, ey] : {std::pair(1, 2), {2, -2}, {-5, 0}, {4, 1}})
      search(cell_of(10, ex, ey, false), {Rounding::all, 10}, bits, small_boxes(), sum, tolerance);
    CHECK(sum.cases > 100);
    return sum.missed;
  };
  CHECK(missed([](const engine::boxes::BoxLedger& l) { return l.of_walk().value(); }, 6) == 0);
  CHECK(missed([](const engine::boxes::BoxLedger& l) { return l.cubic.value() + l.epsilon.value() / 2; }, 6) > 0);
  CHECK(missed([](const engine::boxes::BoxLedger& l) { return l.epsilon.value(); }, 12) > 0);
}

TEST_CASE("boxes: the largest ones, which hardly leave a plane") {
  for (const PowerCorner& corner :
       {PowerCorner{1, -17, false, 1.5, 1.4}, {40, -22, true, 1.2, 1.9}, {-126, -23, false, 1.3, 1.1}}) {
    Tally sum;
    search(corner.rectangle(tries_all ? 1 << 5 : 1 << 4, 1 << 18), {Rounding::all, 24, -126, 127}, 16,
           engine::boxes::BoxOptions{}, sum);
    check(sum);
    CHECK(sum.counts.boxes >= 4);
  }
}

// The values are some spacings from 1; the breakpoint is in the middle.
TEST_CASE("boxes: where values hardly change") {
  for (const bool is_negative : {false, true}) {
    const double t = 0x1p-23; // a breakpoint's distance from 1
    PowerCorner corner{40, -28, is_negative, 1.5, 0};
    corner.y = std::ldexp(t / (std::log(1.5) + 40 * std::log(2.0)), 28) - 0x1p-7;
    Tally sum;
    search(corner.rectangle(tries_all ? 1 << 6 : 1 << 5, 1 << 17), {Rounding::all, 24, -126, 127}, 16,
           engine::boxes::BoxOptions{}, sum);
    check(sum);
    CHECK(sum.cases > 0);
    CHECK(sum.counts.boxes > 0);
    MESSAGE(sum.cases << " cases, " << sum.counts.boxes << " boxes, " << sum.counts.refused << " refused");
  }
}

// Next to 1, in rows of tiles as large as in a search. Without a least unit of heights, the second and fourth are
// refused in part; without may_have_case(), the others wholly.
TEST_CASE("boxes: hardly any is refused where |y·log x| is small") {
  const engine::boxes::PowerPlanner planner({Rounding::all, 24, -126, 127}, 44, engine::boxes::BoxOptions{});
  struct Place {
    int x_exponent;
    int y_exponent;
    std::uint32_t x;
  };
  for (const Place& place : {Place{-149, -55, 700000}, {-149, -46, 700000}, {0, -52, 12388608}, {0, -46, 12388608}}) {
    const engine::boxes::PowerRectangle rectangle{place.x_exponent,    place.y_exponent, false,  place.x,
                                                  place.x + (1 << 11), 1 << 23,          1 << 24};
    engine::boxes::BoxCounts counts;
    int strips = 0;
    for (const engine::boxes::PowerTile& tile : planner.plan(rectangle))
      for (const engine::boxes::PowerStrip& strip : tile.strips)
        for (std::uint32_t row = 0; strip.is_walked && strips++ < 24 && row < std::min(strip.rows(), 2U); ++row)
          for (int part = 0; part < std::min(strip.kernel.parts, 3); ++part) {
            const engine::boxes::RowHits hits =
                engine::boxes::walk_row_on_host(tables(), strip.kernel, 0, row, static_cast<std::uint32_t>(part));
            counts.boxes += hits.boxes;
            counts.refused += hits.refused.size();
          }
    CHECK(counts.boxes > 100);
    CHECK(20 * counts.refused <= counts.boxes);
  }
}

namespace {

// The binade of x and that of an integer, the last of them at most `most` integers.
engine::boxes::PowerRectangle compound_cell(int precision, int x_sign, int ex, int en, bool is_negative,
                                            std::uint32_t most = 1 << 12) {
  engine::boxes::PowerRectangle cell = cell_of(precision, ex, 0, is_negative);
  cell.y_exponent = 0;
  cell.x_is_negative = x_sign < 0;
  cell.is_compound = true;
  cell.y_end = std::uint32_t(2) << en;
  cell.y_first = std::max(std::uint32_t(1) << en, cell.y_end - std::min(most, cell.y_end));
  return cell;
}

} // namespace

TEST_CASE("boxes of (1 + x)^n: whole cells of 8 bits, and of each rounding with 9 and 10 bits") {
  Tally sum;
  for (const int x_sign : {1, -1})
    for (int ex = -22; ex <= (x_sign < 0 ? -1 : 8); ++ex)
      for (int en = std::max(0, -10 - ex); en <= std::min(20, 5 - ex); ++en) // others have no value, or 1
        search(compound_cell(8, x_sign, ex, en, (ex / 2 + en) % 2 == 0, tries_all ? 1 << 10 : 1 << 8),
               {Rounding::all, 8, -14, 15}, (ex + en) % 2 == 0 ? 8 : 5, small_boxes(), sum);
  check(sum);
  CHECK(sum.cases > 5000);
  CHECK(sum.counts.boxes > 1000);
  MESSAGE(sum.pairs << " pairs, " << sum.cases << " cases, " << sum.counts.boxes << " boxes, " << sum.counts.refused
                    << " refused, " << sum.counts.hits << " hits, one by one " << sum.each);
  for (const Rounding rounding : {Rounding::all, Rounding::nearest, Rounding::directed}) {
    Tally some;
    for (const int precision : {9, 10})
      for (const auto& [x_sign, ex, en] : {std::tuple(1, 0, 1),
                                           {1, -1, 3},
                                           {-1, -1, 2},
                                           {1, -6, 8},
                                           {-1, -8, 9},
                                           {1, -12, 13},
                                           {-1, -15, 16},
                                           {1, -25, 23}})
        search(compound_cell(precision, x_sign, ex, en, (ex + en) % 2 != 0, tries_all ? 1 << 12 : 1 << 10),
               {rounding, precision, -14, 15}, 9, small_boxes(), some);
    check(some);
    CHECK(some.cases > 1000);
    MESSAGE(some.pairs << " pairs, " << some.cases << " cases, " << some.counts.boxes << " boxes, "
                       << some.counts.refused << " refused, " << some.counts.hits << " hits, one by one " << some.each);
  }
}

TEST_CASE("boxes of (1 + x)^n: rectangles of binary32, pair by pair in long double") {
  std::uint64_t missed = 0;
  for (const CompoundCorner& corner : compound_corners()) {
    Tally sum;
    const auto height = static_cast<std::uint32_t>(trials(1 << 11));
    search(corner.rectangle(1 << 11, height), {Rounding::all, 24, -126, 127}, 13, engine::boxes::BoxOptions{}, sum);
    MESSAGE(corner.ex << " " << static_cast<double>(corner.n) << ": " << sum.cases << " cases, " << sum.counts.boxes
                      << " boxes, " << sum.counts.refused << " refused, " << sum.counts.hits << " hits, one by one "
                      << sum.each);
    missed += sum.missed;
    CHECK(sum.false_ones <= 1);
    CHECK(sum.wrong_tiles == 0);
    CHECK(sum.uncovered == 0);
    CHECK(sum.cases > 1);
  }
  CHECK(missed == 0);
}

TEST_CASE("boxes of (1 + x)^n: without a term of the ledger, cases are missed") {
  const auto missed = [](double (*tolerance)(const engine::boxes::BoxLedger&), int bits) {
    Tally sum;
    for (const auto& [x_sign, ex, en] : {std::tuple(1, -12, 13), {-1, -15, 16}, {-1, -18, 17}, {1, -6, 8}})
      search(compound_cell(10, x_sign, ex, en, false, tries_all ? 1 << 12 : 1 << 10), {Rounding::all, 10}, bits,
             small_boxes(), sum, tolerance);
    CHECK(sum.cases > 100);
    return sum.missed;
  };
  CHECK(missed([](const engine::boxes::BoxLedger& l) { return l.of_walk().value(); }, 6) == 0);
  CHECK(missed([](const engine::boxes::BoxLedger& l) { return l.cubic.value() + l.epsilon.value() / 2; }, 6) > 0);
  CHECK(missed([](const engine::boxes::BoxLedger& l) { return l.epsilon.value(); }, 12) > 0);
}

// Pairs of a box, found by its lines, for which the second filter does not rule out a case.
std::vector<std::uint64_t> one_by_one(const engine::boxes::layout::box_strip& s, std::uint32_t row, std::int32_t box) {
  std::vector<std::uint64_t> result;
  for (int j = 0; j < s.height; ++j)
    for (int i = 0; i < s.width; ++i) {
      const int line = j - (s.height - 1) / 2;
      const auto lean = static_cast<int>((std::int64_t(s.lean) * line + 32768) >> 16);
      const int along = s.row_begin + box * s.width + i + lean;
      const int across = s.across + static_cast<int>(row) * s.height + j;
      if (along < s.along || along >= s.along_end || across >= s.across_end)
        continue;
      const auto [x, y] = s.axis == 0 ? std::pair(along, across) : std::pair(across, along);
      const std::uint64_t entry = std::uint64_t(x) << engine::boxes::layout::pair_bits | std::uint64_t(y);
      if (engine::boxes::pair_may_be_case(tables(), s, entry))
        result.push_back(entry);
    }
  std::sort(result.begin(), result.end());
  return result;
}

// Boxes have few integers along a line, or many; their lines rise or fall, along X or along Y.
TEST_CASE("boxes: pairs of a refused box that may be cases are those that are one by one") {
  const engine::boxes::PowerPlanner planner({Rounding::all, 24, -126, 127}, 16, engine::boxes::BoxOptions{});
  std::mt19937_64 random(11);
  std::size_t candidates = 0;
  for (const auto& [x_exponent, y_exponent] :
       {std::pair{-149, -49}, {-149, -36}, {-149, -26}, {0, -43}, {0, -32}, {-23, -38}, {-24, -32}, {3, -30}})
    for (const bool is_negative : {false, true}) {
      if (!tries_all && is_negative == (x_exponent == -149))
        continue;
      const std::uint32_t x = (1 << 23) + static_cast<std::uint32_t>(random() % (1 << 22)) + 1;
      const engine::boxes::PowerRectangle rectangle{x_exponent,    y_exponent, is_negative, x,
                                                    x + (1 << 11), 1 << 23,    1 << 24};
      for (const engine::boxes::PowerTile& tile : planner.plan(rectangle))
        for (std::size_t n = 0; n < std::min<std::size_t>(tile.strips.size(), 2); ++n) {
          const engine::boxes::layout::box_strip& s = tile.strips[n].kernel;
          const auto row = static_cast<std::uint32_t>(random() % tile.strips[n].rows());
          const auto box = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(s.boxes));
          const std::vector<std::uint64_t> found = engine::boxes::look_at_box_on_host(tables(), s, row, box);
          CHECK(found == one_by_one(s, row, box));
          candidates += found.size();
        }
    }
  CHECK(candidates > 1000);
}

} // namespace tmd::test
