#include "engine/boxes/planned.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tmd::engine::boxes {

namespace {

// Limits for strips of tiles that are searched at once: all pairs of a tile may be exact, and candidates.
constexpr std::uint64_t most_pairs = std::uint64_t(1) << 34;    // by boxes
constexpr std::uint64_t most_of_lines = std::uint64_t(1) << 20; // pair by pair

double pairs_in(const layout::box_strip& strip) {
  return static_cast<double>(strip.along_end - strip.along) * (strip.across_end - strip.across);
}

// The first strips, as many as may be searched at once.
std::span<const PowerStrip> next_strips(std::span<const PowerStrip> strips, bool are_of_tiles) {
  const std::size_t most = std::min(strips.size(), BoxSearch::most_strips);
  std::size_t count = 0;
  for (double share = 0; count < most && share < 1; ++count)
    if (are_of_tiles)
      share +=
          pairs_in(strips[count].kernel) / static_cast<double>(strips[count].is_walked ? most_pairs : most_of_lines);
  return strips.first(count);
}

} // namespace

void PlannedPairs::require_all_of(std::span<const PowerRectangle> all) const {
  const uint128 pairs_of_all = std::accumulate(all.begin(), all.end(), uint128(0),
                                               [](uint128 sum, const PowerRectangle& r) { return sum + r.pairs(); });
  if (std::accumulate(pairs.begin(), pairs.end(), uint128(0)) != pairs_of_all)
    throw std::logic_error("the tiles do not have as many pairs as the rectangles");
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
  row.pair = s.axis == 0 ? PowerPair{along, s.base + across} : PowerPair{across, s.base + along};
  const auto value = value_on_host(words, s, row.pair);
  if (!value) // it belongs to another strip
    return std::nullopt;
  s.across += (static_cast<int>(across) - s.across) / s.height * s.height;
  s.across_end = std::min(s.across_end, s.across + s.height);
  s.offset -= *value;
  return row;
}

void plant(PlannedPairs& planned, const SurfaceWords& tables, unsigned count, std::uint64_t seed) {
  const SurfaceWords words = planned.is_of_tiles() ? SurfaceWords(planned.polynomials, SurfaceKind::tile) : tables;
  number::Random random(seed);
  constexpr unsigned tries = 16; // a tile's strips share its rectangle: most pairs belong to another strip
  const std::size_t strips = planned.strips.size();
  for (unsigned i = 0; i < tries * count && planned.planted.size() < count && strips > 0; ++i)
    if (const auto row = planted_row(planned.strips[random.below(strips)], words, random)) {
      planned.strips.push_back(row->strip);
      planned.planted.push_back(row->pair);
    }
}

std::vector<PairCandidate> search_planned(const PlannedPairs& planned, BoxSearch& device, const Interrupt& interrupt,
                                          const std::function<void(std::size_t)>& counted) {
  std::vector<PairCandidate> result;
  std::vector<char> is_met(planned.planted.size());
  if (planned.is_of_tiles())
    device.use_tiles(planned.polynomials);
  const std::span<const PowerStrip> strips = planned.strips;
  for (std::size_t first = 0; first < strips.size();) {
    const auto part = next_strips(strips.subspan(first), planned.is_of_tiles());
    for (const BoxCandidate& found : device.search(part, interrupt))
      if (const std::size_t strip = first + found.strip; strip < planned.rectangles.size())
        result.push_back({planned.rectangles[strip], found.pair});
      else if (found.pair == planned.planted[strip - planned.rectangles.size()])
        is_met[strip - planned.rectangles.size()] = 1;
    if (counted)
      counted(result.size());
    first += part.size();
  }
  if (std::count(is_met.begin(), is_met.end(), 0) != 0)
    throw device.fault("it has not found a pair whose value was shifted onto a breakpoint");
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end()); // a pair may be in strips of two spacings
  return result;
}

} // namespace tmd::engine::boxes
