// How the kernels walk over the lines of wide_lines.clh: wide.cl over those of a group, wide_parts.cl over those of a
// part.
#pragma once

#include "cl_kernels/wide/constants.clh"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tmd {

// Appends an argument that lies in the group.
inline void keep_argument(std::int32_t i, float m, std::vector<std::int32_t>& candidates) {
  const auto half_width = static_cast<std::int32_t>(m);
  if (i >= -half_width && i < half_width)
    candidates.push_back(i);
}

// Appends the candidates of a group of half width m; returns whether it is refused.
template <typename Lines> bool walk_group(Lines l, float m, std::vector<std::int32_t>& candidates) {
  const auto try_root = [&](auto y, auto root) {
    const auto number = number_near(&l, m, y);
    if (is_near(&l, m, y, root, number))
      keep_argument(argument_of(&l, m, number), m, candidates);
  };
  for (; !l.refused && has_lines(&l); next_line(&l)) {
    const auto roots = roots_of(&l);
    try_root(roots.right, roots.root);
    if (has_left(&l))
      try_root(roots.left, roots.root);
    l.refused = is_crowded(&l, roots.root);
  }
  return l.refused;
}

// The same with the filter before the lines behind the first: what it stops is not walked. Counts runs of lines.
// `change`: what a test does to the filter.
template <typename Lines, typename Change>
bool walk_filtered_group(Lines l, float m, std::vector<std::int32_t>& candidates, std::uint64_t& runs,
                         std::uint64_t& stopped, const Change& change) {
  Lines first = l;
  first.last = std::min(float(l.last), float(l.line));
  bool refused = walk_group(first, m, candidates);
  if (refused)
    return true;
  auto filter = filter_of(&l, m);
  change(filter);
  const float lines = l.last - l.line;
  const float left = l.last_left - l.line;
  for (std::uint32_t number = 1; float(number) <= lines; number += TMD_FILTERED_LINES) {
    ++runs;
    if (filter.usable &&
        !may_hit(&filter, float(number), filter.apex + number * filter.apex_step, float(number) <= left))
      ++stopped;
    else
      for (std::uint32_t k = 0; k < TMD_FILTERED_LINES; ++k)
        refused = walk_group(lines_from(l, number + k, 1), m, candidates) || refused;
  }
  return refused;
}

template <typename Lines>
bool walk_filtered_group(Lines l, float m, std::vector<std::int32_t>& candidates, std::uint64_t& runs,
                         std::uint64_t& stopped) {
  return walk_filtered_group(l, m, candidates, runs, stopped, [](auto&) {});
}

// The same for a part, where the members of crowded classes are tried one by one.
template <typename Lines> bool walk_part(Lines l, float m, std::vector<std::int32_t>& candidates) {
  for (; !l.refused && has_lines(&l); next_line(&l)) {
    const auto roots = roots_of(&l);
    for (int side = 0; side < 2 && (side == 0 || has_left(&l)); ++side) {
      float member = 0.0f;
      float members = members_near(&l, m, side == 0 ? roots.right : roots.left, roots.root, &member);
      if (!(members <= 1024.0f))
        return true;
      for (; members > 0.0f; members -= 1.0f, member += l.denominator)
        keep_argument(static_cast<std::int32_t>(l.side * member), m, candidates);
    }
  }
  return l.refused;
}

} // namespace tmd
