#include "engine/boxes/rectangles.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tmd::engine::boxes {

namespace {

constexpr std::uint32_t most_integer = std::uint32_t(1) << 31; // n from -2^31 to 2^31 - 1

// The significands of a binade, and the exponent of their unit.
struct Binade {
  int unit = 0;
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

std::vector<Binade> binades_of(const Format& format) {
  const int least_unit = format.min_exponent - format.precision + 1;
  const auto least = std::uint32_t(1) << (format.precision - 1);
  std::vector<Binade> result;
  for (std::uint32_t first = 1; first < least; first *= 2)
    result.push_back({least_unit, first, 2 * first});
  for (int exponent = format.min_exponent; exponent <= format.max_exponent; ++exponent)
    result.push_back({exponent - format.precision + 1, least, 2 * least});
  return result;
}

} // namespace

PlannedPairs plan_powers(std::span<const PowerRectangle> rectangles, const PowerPlanner& planner) {
  PlannedPairs result;
  for (std::size_t i = 0; i < rectangles.size(); ++i)
    for (PowerTile& tile : planner.plan(rectangles[i])) {
      result.pairs_of(tile.kind) += tile.pairs.pairs();
      if (tile.kind == TileKind::full || tile.kind == TileKind::beside_one)
        (tile.kind == TileKind::full ? result.full : result.beside_one).push_back({i, tile.pairs});
      std::move(tile.strips.begin(), tile.strips.end(), std::back_inserter(result.strips));
      result.rectangles.resize(result.strips.size(), i);
    }
  result.require_all_of(rectangles);
  return result;
}

PairEstimate estimate_powers(const PowerRectangle& rectangle, const format::BreakpointGrid& grid,
                             const BoxOptions& options) {
  constexpr int places = 4; // along each coordinate
  constexpr double fewest_pairs = 48;
  constexpr double many_pairs = 1024;  // of a box, by the formula: then boxes serve, and it is right
  constexpr double few_pairs = 0x1p16; // of a place: they take no time, but a shape some 50 µs
  const double lines = (rectangle.x_end - rectangle.x_first) / double(places);
  PairEstimate result;
  for (int i = 0; i < places; ++i) {
    const double X = rectangle.x_first + (i + 0.5) * lines;
    const double log = logarithm_at(rectangle, X);
    const double sign = rectangle.is_negative ? -1 : 1;
    const double rate = sign * std::ldexp(log / std::log(2.0), rectangle.y_exponent); // of y·log2 x with Y
    // Below `least` values are beside 1; from `end` on they are not in the format.
    const double least = std::max(rectangle.y_first + 0.0, std::ldexp(1, -grid.precision) / std::fabs(rate));
    const double end =
        std::min(rectangle.y_end + 0.0, (rate > 0 ? grid.max_exponent + 1 : grid.least_spacing_exponent() - 1) / rate);
    for (int k = 0; k < places && least < end; ++k) {
      const double Y = least + (k + 0.5) / places * (end - least);
      const double share = lines * (end - least) / places;
      const double y = sign * std::ldexp(Y, rectangle.y_exponent);
      const double t = y * log;
      const int exponent = std::max(static_cast<int>(std::floor(rate * Y)), grid.min_exponent);
      const double F = std::exp2(rate * Y - grid.spacing_exponent(exponent));
      const double bend = std::sqrt(std::sqrt(std::fabs(y * (t * t + y + 2 * y * t)))) * std::sqrt(F);
      const double pairs = 2 * std::sqrt(options.lambda3 * std::fabs(inverse_slope_at(rectangle, X)) * Y) /
                           std::max(bend, 1e-300); // pairs of a box
      result.pairs += share;
      if (pairs >= many_pairs || share <= few_pairs)
        result.boxes += share / std::clamp(pairs, fewest_pairs, options.most_pairs);
      else if (const BoxShape shape = power_shape(rectangle, X, Y, exponent, grid, options); shape.serves)
        result.boxes += share / shape.pairs();
      else
        result.single += share;
    }
  }
  return result;
}

std::vector<PowerRectangle> power_cells(const Format& format) {
  const std::vector<Binade> binades = binades_of(format);
  std::vector<PowerRectangle> result;
  for (const Binade& x : binades)
    for (const Binade& y : binades)
      for (const bool is_negative : {false, true})
        result.push_back({x.unit, y.unit, is_negative, x.first, x.end, y.first, y.end});
  return result;
}

std::vector<PowerRectangle> compound_cells(const Format& format) {
  const std::vector<Binade> binades = binades_of(format);
  std::vector<PowerRectangle> result;
  for (const bool x_is_negative : {false, true})
    for (const Binade& x : binades) {
      if (x_is_negative && std::ldexp(x.first, x.unit) >= 1)
        continue;
      for (std::uint32_t n = 1; n <= most_integer / 2; n *= 2)
        for (const bool is_negative : {false, true})
          result.push_back({x.unit, 0, is_negative, x.first, x.end, n, 2 * n, x_is_negative, true});
      result.push_back({x.unit, 0, true, x.first, x.end, most_integer, most_integer + 1, x_is_negative, true});
    }
  return result;
}

} // namespace tmd::engine::boxes
