#include "tune/descent.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <span>

namespace tmd::tune {

namespace {

class Descent {
public:
  Descent(const std::vector<Coordinate>& space, const Tunables& start, const Score& score,
          const DescentOptions& options)
      : space_(space), base_(start), best_(start), score_(score), options_(options), random_(options.seed) {}

  Tunables run() {
    try {
      std::vector<const Coordinate*> order = coordinates(all_parts); // as declared: what gains most comes first
      for (int round = 0; round < most_rounds && improve(order, best_, infinite); ++round)
        shuffle(order);
      for (int restart = 0; restart < options_.restarts; ++restart)
        for (const Part part : all_parts)
          if (part != Part::whole)
            restart_at_random(part);
    } catch (const BudgetSpent&) { // what is best so far is what we have
    }
    return best_;
  }

private:
  // Sets each of the coordinates to its best value. True when anything became better. What is far above `record` need
  // not be measured well.
  bool improve(const std::vector<const Coordinate*>& order, Tunables& tunables, double record) {
    bool improved = false;
    for (const Coordinate* coordinate : order) {
      const Tunables before = tunables;
      const std::optional<double> known = score_(before, coordinate->part, infinite);
      if (!known)
        continue;
      double least = *known;
      for (const Setting& setting : coordinate->settings) {
        const Tunables tried = with(before, *coordinate, setting, base_);
        if (tried == tunables)
          continue;
        const std::optional<double> ratio = score_(tried, coordinate->part, std::min(least, record));
        if (ratio && *ratio < least * (1 - options_.least_gain)) {
          least = *ratio;
          tunables = tried;
          improved = true;
        }
      }
    }
    return improved;
  }

  void restart_at_random(Part part) {
    std::vector<const Coordinate*> order = coordinates({&part, 1});
    shuffle(order);
    Tunables tunables = best_;
    for (const Coordinate* coordinate : order)
      if (!coordinate->settings.empty())
        tunables = with(tunables, *coordinate, coordinate->settings[draw(coordinate->settings.size())], base_);
    const std::optional<double> best = score_(best_, part, infinite);
    if (!best || tunables == best_)
      return;
    improve(order, tunables, *best);
    const std::optional<double> ratio = score_(tunables, part, *best);
    if (ratio && *ratio < *best * (1 - options_.least_gain))
      best_ = tunables;
  }

  [[nodiscard]] std::vector<const Coordinate*> coordinates(std::span<const Part> parts) const {
    std::vector<const Coordinate*> result;
    for (const Coordinate& coordinate : space_)
      if (std::find(parts.begin(), parts.end(), coordinate.part) != parts.end())
        result.push_back(&coordinate);
    return result;
  }

  void shuffle(std::vector<const Coordinate*>& order) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[draw(i)]);
  }

  // Unlike std::shuffle and the distributions, the same with every standard library.
  std::size_t draw(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  static constexpr int most_rounds = 8; // parts that undo each other's gains would go on for ever
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::vector<Coordinate>& space_;
  const Tunables base_;
  Tunables best_;
  const Score& score_;
  const DescentOptions& options_;
  std::mt19937_64 random_;
};

} // namespace

Tunables descend(const std::vector<Coordinate>& space, const Tunables& start, const Score& score,
                 const DescentOptions& options) {
  return Descent(space, start, score, options).run();
}

} // namespace tmd::tune
