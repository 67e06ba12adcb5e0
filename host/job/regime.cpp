#include "job/regime.hpp"

#include <algorithm>
#include <utility>

namespace tmd::job {

std::optional<RoundedValues> rounded_values(const BreakpointRule& rule) {
  if (!rule.breakpoint || rule.side == Side::undecided)
    return std::nullopt;
  const bool is_above = rule.side == Side::above;
  const bool is_midpoint = *rule.breakpoint == Breakpoint::midpoint;
  const Rounded above = is_above || is_midpoint ? Rounded::next_above : Rounded::to_breakpoint;
  const Rounded below = is_above && !is_midpoint ? Rounded::to_breakpoint : Rounded::next_below;
  return RoundedValues{!is_midpoint ? Rounded::to_breakpoint : is_above ? above : below, above, below};
}

void join(std::vector<RegimeRange>& regimes) {
  std::sort(regimes.begin(), regimes.end(),
            [](const RegimeRange& left, const RegimeRange& right) { return left.ranks.first < right.ranks.first; });
  std::vector<RegimeRange> joined;
  for (RegimeRange& next : regimes)
    if (!joined.empty() && joined.back().regime == next.regime && joined.back().ranks.last == next.ranks.first)
      joined.back().ranks.last = next.ranks.last;
    else
      joined.push_back(std::move(next));
  regimes = std::move(joined);
}

} // namespace tmd::job
