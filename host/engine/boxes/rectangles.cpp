#include "engine/boxes/rectangles.hpp"

#include <algorithm>
#include <stdexcept>

namespace tmd {

namespace {

// Strips that go to the device together, and whose rectangles they are of.
class StripBatch {
public:
  StripBatch(BoxSearch& device, const Interrupt& interrupt, PowerFindings& findings)
      : device_(device), interrupt_(interrupt), findings_(findings) {}

  void add(const PowerStrip& strip, std::size_t rectangle) {
    strips_.push_back(strip);
    rectangles_.push_back(rectangle);
    if (strips_.size() == BoxSearch::most_strips)
      search();
  }
  void search() {
    for (const BoxCandidate& found : device_.search(strips_, interrupt_))
      findings_.candidates.push_back({rectangles_[found.strip], found.pair});
    strips_.clear();
    rectangles_.clear();
  }

private:
  BoxSearch& device_;
  const Interrupt& interrupt_;
  PowerFindings& findings_;
  std::vector<PowerStrip> strips_;
  std::vector<std::size_t> rectangles_;
};

// Significands of a binade, and the exponent of their unit.
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

PowerFindings search_powers(std::span<const PowerRectangle> rectangles, const PowerPlanner& planner, BoxSearch& device,
                            const Interrupt& interrupt) {
  PowerFindings result;
  StripBatch batch(device, interrupt, result);
  uint128 all = 0;
  for (std::size_t i = 0; i < rectangles.size(); ++i) {
    all += rectangles[i].pairs();
    for (const PowerTile& tile : planner.plan(rectangles[i])) {
      (tile.kind == TileKind::search ? result.searched
       : tile.kind == TileKind::full ? result.in_full
                                     : result.empty) += tile.pairs.pairs();
      if (tile.kind == TileKind::full)
        result.full.push_back({i, tile.pairs});
      for (const PowerStrip& strip : tile.strips)
        batch.add(strip, i);
    }
  }
  batch.search();
  if (result.searched + result.empty + result.in_full != all)
    throw std::logic_error("the tiles do not have as many pairs as the rectangles");
  std::sort(result.candidates.begin(), result.candidates.end());
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

} // namespace tmd
