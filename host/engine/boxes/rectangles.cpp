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
  const double share = static_cast<double>(rectangle.pairs()) / (places * places);
  PairEstimate result;
  for (int i = 0; i < places * places; ++i) {
    const auto within = [](std::uint32_t first, std::uint32_t end, int place) {
      return first + (place + 0.5) / places * (end - first);
    };
    const double X = within(rectangle.x_first, rectangle.x_end, i % places);
    const double Y = within(rectangle.y_first, rectangle.y_end, i / places);
    const double y = std::ldexp(rectangle.is_negative ? -Y : Y, rectangle.y_exponent);
    const double t = y * logarithm_at(rectangle, X);
    const double power = t / std::log(2.0);
    if (std::fabs(power) < std::ldexp(1, -grid.precision) || power >= grid.max_exponent + 1 ||
        power < grid.least_spacing_exponent() - 1)
      continue;
    const double F = std::exp2(power - grid.spacing_exponent(static_cast<int>(std::floor(power))));
    const double bend = std::sqrt(std::sqrt(std::fabs(y * (t * t + y + 2 * y * t)))) * std::sqrt(F);
    const double pairs = 2 * std::sqrt(options.lambda3 * std::fabs(inverse_slope_at(rectangle, X)) * Y) /
                         std::max(bend, 1e-300); // pairs of a box
    result.boxes += share / std::clamp(pairs, fewest_pairs, options.most_pairs);
    result.pairs += share;
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
