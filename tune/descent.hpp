// Coordinate descent over the search space, with random restarts.
#pragma once

#include "tune/space.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace tmd::tune {

// Thrown by a Score when there is no time for another trial.
struct BudgetSpent {};

// The time of a part with these tunables, over that with the default, or nothing where they do not count. `best`: what
// they would have to beat.
using Score = std::function<std::optional<double>(const Tunables& tunables, Part part, double best)>;

struct DescentOptions {
  std::uint64_t seed = 1;   // of the orders after the first round, and of the restarts
  int restarts = 1;         // descents from random settings of each part, after the one from `start`
  double least_gain = 0.02; // what a setting must save to be taken: less may be noise
};

// The best tunables found, beginning at `start`, until nothing improves or `score` throws BudgetSpent. One coordinate
// after the other is set to what is best for its part, in the order of the space at first. `start` gives the values of
// tunables that a setting leaves open. Equal scores lead to equal trials.
[[nodiscard]] Tunables descend(const std::vector<Coordinate>& space, const Tunables& start, const Score& score,
                               const DescentOptions& options);

} // namespace tmd::tune
