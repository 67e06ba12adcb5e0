#include "engine/boxes/rectangles.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>

namespace tmd::engine::boxes {

namespace {

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

PlannedPowers plan_powers(std::span<const PowerRectangle> rectangles, const PowerPlanner& planner) {
  PlannedPowers result;
  uint128 all = 0;
  for (std::size_t i = 0; i < rectangles.size(); ++i) {
    all += rectangles[i].pairs();
    for (PowerTile& tile : planner.plan(rectangles[i])) {
      result.pairs.at(static_cast<std::size_t>(tile.kind)) += tile.pairs.pairs();
      if (tile.kind == TileKind::full || tile.kind == TileKind::beside_one)
        (tile.kind == TileKind::full ? result.full : result.beside_one).push_back({i, tile.pairs});
      std::move(tile.strips.begin(), tile.strips.end(), std::back_inserter(result.strips));
      result.rectangles.resize(result.strips.size(), i);
    }
  }
  if (std::accumulate(result.pairs.begin(), result.pairs.end(), uint128(0)) != all)
    throw std::logic_error("the tiles do not have as many pairs as the rectangles");
  return result;
}

std::optional<PlantedRow> planted_row(const PowerStrip& strip, const SurfaceWords& words, number::Random& random) {
  PlantedRow row{strip, {}};
  layout::box_strip& s = row.strip.kernel;
  const auto any = [&](int first, int end) {
    return static_cast<std::uint32_t>(first) +
           static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(end - first)));
  };
  const std::uint32_t along = any(s.along, s.along_end);
  const std::uint32_t across = any(s.across, s.across_end);
  row.pair = s.axis == 0 ? PowerPair{along, across} : PowerPair{across, along};
  const auto value = value_on_host(words, s, row.pair);
  if (!value) // it belongs to another strip
    return std::nullopt;
  s.across += (static_cast<int>(across) - s.across) / s.height * s.height;
  s.across_end = std::min(s.across_end, s.across + s.height);
  s.offset -= *value;
  return row;
}

void plant(PlannedPowers& planned, const SurfaceWords& words, unsigned count, std::uint64_t seed) {
  number::Random random(seed);
  constexpr unsigned tries = 16; // a tile's strips share its rectangle: most pairs belong to another strip
  const std::size_t strips = planned.strips.size();
  for (unsigned i = 0; i < tries * count && planned.planted.size() < count && strips > 0; ++i)
    if (const auto row = planted_row(planned.strips[random.below(strips)], words, random)) {
      planned.strips.push_back(row->strip);
      planned.planted.push_back(row->pair);
    }
}

std::vector<PowerCandidate> search_powers(const PlannedPowers& planned, BoxSearch& device, const Interrupt& interrupt) {
  std::vector<PowerCandidate> result;
  std::vector<char> is_met(planned.planted.size());
  const std::span<const PowerStrip> strips = planned.strips;
  for (std::size_t first = 0; first < strips.size(); first += BoxSearch::most_strips) {
    const auto part = strips.subspan(first, std::min(BoxSearch::most_strips, strips.size() - first));
    for (const BoxCandidate& found : device.search(part, interrupt))
      if (const std::size_t strip = first + found.strip; strip < planned.rectangles.size())
        result.push_back({planned.rectangles[strip], found.pair});
      else if (found.pair == planned.planted[strip - planned.rectangles.size()])
        is_met[strip - planned.rectangles.size()] = 1;
  }
  if (std::count(is_met.begin(), is_met.end(), 0) != 0)
    throw device.fault("it has not found a pair whose value was shifted onto a breakpoint");
  std::sort(result.begin(), result.end());
  return result;
}

PowerEstimate estimate_powers(const PowerRectangle& rectangle, const format::BreakpointGrid& grid,
                              const BoxOptions& options) {
  constexpr int places = 4; // along each coordinate
  constexpr double fewest_pairs = 48;
  const double share = static_cast<double>(rectangle.pairs()) / (places * places);
  PowerEstimate result;
  for (int i = 0; i < places * places; ++i) {
    const auto within = [](std::uint32_t first, std::uint32_t end, int place) {
      return first + (place + 0.5) / places * (end - first);
    };
    const double X = within(rectangle.x_first, rectangle.x_end, i % places);
    const double Y = within(rectangle.y_first, rectangle.y_end, i / places);
    const double y = std::ldexp(rectangle.is_negative ? -Y : Y, rectangle.y_exponent);
    const double power = y * (std::log2(X) + rectangle.x_exponent);
    if (std::fabs(power) < std::ldexp(1, -grid.precision) || power >= grid.max_exponent + 1 ||
        power < grid.least_spacing_exponent() - 1)
      continue;
    const double t = power * std::log(2.0);
    const double F = std::exp2(power - grid.spacing_exponent(static_cast<int>(std::floor(power))));
    const double bend = std::sqrt(std::sqrt(std::fabs(y * (t * t + y + 2 * y * t)))) * std::sqrt(F);
    const double pairs = 2 * std::sqrt(options.lambda3 * X * Y) / std::max(bend, 1e-300); // pairs of a box
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

} // namespace tmd::engine::boxes
