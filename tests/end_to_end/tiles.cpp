// Expressions of two variables by tiles: whole rectangles of formats with few bits, each pair by brute force against
// the plan and its walk on the host. None is missed, whatever the rounding, and a smaller bound costs cases.
#include "host/engine/boxes/tiles.hpp"
#include "end_to_end/small_boxes.hpp"
#include "host/engine/boxes/reference.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tmd::test::tiles {

namespace {

using engine::boxes::TileRectangle;

struct Subject {
  std::string text;
  long double (*value)(long double x, long double y); // NaN: none
};

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all{
      {"sqrt(x^2+y^2)", [](long double x, long double y) { return std::sqrt(x * x + y * y); }},
      {"x^y", [](long double x, long double y) { return std::pow(x, y); }},
      {"exp(x)*y", [](long double x, long double y) { return std::exp(x) * y; }},
      {"atan(y/x)", [](long double x, long double y) { return std::atan(y / x); }},
      {"log(x)+y", [](long double x, long double y) { return std::log(x) + y; }},
      {"x^3/(1+y)^2-pi",
       [](long double x, long double y) { return x * x * x / ((1 + y) * (1 + y)) - 3.14159265358979323846L; }}};
  return all;
}

// Distance from the nearest breakpoint, in spacings; 1 if there is none.
long double distance_of(const format::BreakpointGrid& grid, long double value) {
  value = std::fabs(value);
  if (!(value > 0) || value >= std::ldexp(1.0L, grid.max_exponent + 1))
    return 1;
  const int binade = std::max(std::ilogb(value), grid.min_exponent);
  const long double f = std::ldexp(value, -grid.spacing_exponent(binade)) - (grid.shifted() ? 0.5L : 0.0L);
  const long double nearest = std::rint(f);
  return nearest < (grid.shifted() ? 0 : 1) ? 1 : std::fabs(f - nearest);
}

long double value_of(const engine::boxes::TileOperand& operand, std::uint32_t significand) {
  return (operand.is_negative ? -1 : 1) * std::ldexp(static_cast<long double>(significand), operand.exponent);
}

struct Tally {
  std::uint64_t pairs = 0, cases = 0, missed = 0, false_ones = 0, uncovered = 0, each = 0;
  engine::boxes::BoxCounts counts;
};

using Change = void (*)(engine::boxes::PowerStrip& strip);
void no_change(engine::boxes::PowerStrip&) {}

// The pairs of a rectangle by one index.
class Marks {
public:
  explicit Marks(const TileRectangle& r) : r_(r), marks_(r.pairs()) {}
  char& at(std::uint32_t x, std::uint32_t y) {
    return marks_[std::size_t(x - r_.x.range.first) * r_.y.range.size() + y - r_.y.range.first];
  }

private:
  TileRectangle r_;
  std::vector<char> marks_;
};
template <typename Take> void each_pair(const TileRectangle& r, Take take) {
  for (std::uint32_t x = r.x.range.first; x < r.x.range.end; ++x)
    for (std::uint32_t y = r.y.range.first; y < r.y.range.end; ++y)
      take(x, y);
}

void search(const Subject& subject, const TileRectangle& r, const format::BreakpointGrid& grid, int K,
            const engine::boxes::BoxOptions& options, Tally& sum, Change change = no_change) {
  const function::PairExpression expression = function::make_pair_expression(subject.text);
  engine::boxes::PlannedPairs planned;
  engine::boxes::TilePlanner(*expression.formula, grid, K, options).plan(r, planned);
  const engine::boxes::SurfaceWords words{std::span<const std::uint64_t>(planned.polynomials),
                                          engine::boxes::SurfaceKind::tile};
  Marks found(r);
  Marks possible(r);
  for (std::size_t i = 0; i < planned.strips.size(); ++i) {
    engine::boxes::PowerStrip strip = planned.strips[i];
    change(strip);
    for (const engine::boxes::PowerPair& pair : engine::boxes::search_on_host(words, strip, sum.counts))
      found.at(pair.x, pair.y) = 1;
  }
  for (const engine::boxes::PlannedPairs::Tile& tile : planned.full)
    each_pair(tile_of(tile.pairs), [&](std::uint32_t x, std::uint32_t y) { possible.at(x, y) = 1; });
  sum.each += static_cast<std::uint64_t>(planned.pairs_of(engine::boxes::TileKind::full));
  sum.uncovered +=
      r.pairs() - static_cast<std::uint64_t>(std::accumulate(planned.pairs.begin(), planned.pairs.end(), uint128(0)));
  each_pair(r, [&](std::uint32_t x, std::uint32_t y) {
    const long double value = subject.value(value_of(r.x, x), value_of(r.y, y));
    const long double distance = distance_of(grid, value);
    const bool is_case = distance < std::ldexp(1.0L, -K);
    ++sum.pairs;
    sum.cases += is_case ? 1 : 0;
    sum.missed += is_case && found.at(x, y) == 0 && possible.at(x, y) == 0 ? 1 : 0;
    sum.false_ones += !is_case && found.at(x, y) != 0 && distance > std::ldexp(1.3L, -K) ? 1 : 0;
  });
}

TileRectangle cell_of(int precision, int ex, int ey, bool x_is_negative = false, bool y_is_negative = false) {
  const auto first = std::uint32_t(1) << (precision - 1);
  return {{ex - precision + 1, x_is_negative, {first, 2 * first}},
          {ey - precision + 1, y_is_negative, {first, 2 * first}}};
}

} // namespace

TEST_CASE("tiles: expressions over whole cells of few bits, each rounding") {
  for (const Subject& subject : subjects()) {
    Tally sum;
    for (const Rounding rounding : {Rounding::all, Rounding::nearest, Rounding::directed})
      for (const int precision : {8, 9}) {
        if (!tries_all && (precision == 9) != (rounding == Rounding::all))
          continue;
        for (const auto& [ex, ey] : {std::pair(0, 0), {1, -1}, {-1, 2}, {2, -4}})
          search(subject, cell_of(precision, ex, ey), {rounding, precision, -14, 15}, 6, small_boxes(), sum);
      }
    MESSAGE(subject.text << ": " << sum.pairs << " pairs, " << sum.cases << " cases, " << sum.counts.boxes << " boxes, "
                         << sum.counts.refused << " refused, " << sum.counts.hits << " hits, one by one " << sum.each
                         << ", false " << sum.false_ones);
    CHECK(sum.missed == 0);
    CHECK(sum.uncovered == 0);
    CHECK(sum.cases > 2000);
    CHECK(sum.counts.boxes > 500);
  }
}

TEST_CASE("tiles: negative operands, subnormal results, overflow, and zeros of the expression") {
  Tally sum;
  const format::BreakpointGrid grid{Rounding::all, 8, -6, 7};
  for (const Subject& subject : subjects())
    for (const auto& [x_is_negative, y_is_negative] : {std::pair(false, false), {true, false}, {false, true}})
      for (const auto& [ex, ey] : {std::pair(2, 2), {1, -5}, {-3, -7}, {0, 6}, {-7, 3}})
        if (!x_is_negative || subject.text.find("log") == std::string::npos)
          search(subject, cell_of(8, ex, ey, x_is_negative, y_is_negative), grid, 5, small_boxes(), sum);
  MESSAGE(sum.pairs << " pairs, " << sum.cases << " cases, " << sum.counts.boxes << " boxes, one by one " << sum.each);
  CHECK(sum.missed == 0);
  CHECK(sum.uncovered == 0);
  CHECK(sum.cases > 5000);
}

// The tolerance of the walk, and of the filter, by a part of the ledger.
TEST_CASE("tiles: without a term of the ledger, cases are missed") {
  const auto missed = [](int K, Change change) {
    Tally sum;
    for (const Subject& subject : std::span(subjects()).subspan(tries_all ? 0 : 2, tries_all ? 6 : 2))
      for (const auto& [ex, ey] : {std::pair(0, 0), {1, -1}, {-1, 2}})
        search(subject, cell_of(10, ex, ey), {Rounding::all, 10, -14, 15}, K, small_boxes(), sum, change);
    CHECK(sum.cases > 100);
    return sum.missed;
  };
  const auto of_walk = [](engine::boxes::PowerStrip& strip, const number::Bound& bound) {
    strip.kernel.tolerance =
        static_cast<float>(std::ldexp(bound.value() * static_cast<double>(strip.kernel.z_unit), 64));
  };
  static const auto set_walk = of_walk;
  CHECK(missed(6, [](engine::boxes::PowerStrip& s) { set_walk(s, s.ledger.of_walk()); }) == 0);
  CHECK(missed(6, [](engine::boxes::PowerStrip& s) { set_walk(s, s.ledger.cubic + s.ledger.epsilon.scaled(-1)); }) > 0);
  CHECK(missed(12, [](engine::boxes::PowerStrip& s) { set_walk(s, s.ledger.epsilon + s.ledger.function); }) > 0);
}

} // namespace tmd::test::tiles
