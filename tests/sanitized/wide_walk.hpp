// How the kernels walk over the lines of lines.clh: groups.cl over those of a group, parts.cl over those of a part.
#pragma once

#include "cl_kernels/wide/constants.clh"
#include "host/engine/wide/constants.hpp"
#include "sanitized/wide_groups.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace tmd {

// Appends an argument that lies in the group.
inline void keep_argument(std::int32_t i, float m, std::vector<std::int32_t>& candidates) {
  const auto half_width = static_cast<std::int32_t>(m);
  if (i >= -half_width && i < half_width)
    candidates.push_back(i);
}

// The findings of a walk over a group's lines.
struct Found {
  explicit Found(const GivenGroup& g)
      : m(g.half_width),
        half_part(std::ldexp(g.half_width, -engine::wide::part_bits_of(std::ilogb(g.half_width) + 1))) {}

  float m;
  float half_part;
  bool refused = false;            // whether all parts of the group must be searched by themselves,
  std::vector<std::int32_t> parts; // otherwise these parts
  std::vector<std::int32_t> candidates;
  std::uint64_t chords = 0;  // chords that decided which members may count
  std::uint64_t outside = 0; // ends of chords outside of the group

  [[nodiscard]] bool keeps(std::int32_t i) const {
    return std::find(candidates.begin(), candidates.end(), i) != candidates.end();
  }
  // Whether the argument lies in a part that must be searched by itself.
  [[nodiscard]] bool puts_off(std::int32_t i) const {
    const auto part = static_cast<std::int32_t>((static_cast<double>(i) + m) / (2.0 * half_part));
    return refused || std::find(parts.begin(), parts.end(), part) != parts.end();
  }
};

// Options of a walk: changes of chords and of the filter, and whether all crowded classes are postponed.
struct AsItIs {
  static constexpr bool has_chords = true;
  template <typename Chord, typename Lines> void chord(Chord&, Lines&, GivenGroup&) const {}
  template <typename Filter> void filter(Filter&) const {}
};
struct WithoutChords : AsItIs {
  static constexpr bool has_chords = false;
};

// Handles the neighbourhood of a root of a line whose class is crowded. value: F of an argument, in units of 2^−64.
template <typename Lines, typename Float, typename Value, typename How>
void walk_crowded(Lines l, Float y, Float root, GivenGroup g, const Value& value, const How& how, Found& found) {
  const float m = found.m;
  auto chord = chord_of(&l, m, y, root);
  if (How::has_chords && chord.usable) {
    how.chord(chord, l, g);
    const std::int32_t last = chord.first + chord.steps * chord.step;
    const auto half_width = static_cast<std::int32_t>(m);
    found.outside += std::min(chord.first, last) < -half_width || std::max(chord.first, last) >= half_width;
    const auto members = members_on(&chord, &l, m, g.error, g.curvature, value(chord.first), value(last));
    if (members.decided) {
      ++found.chords;
      for (std::int32_t k = members.from; k <= members.to; ++k)
        keep_argument(chord.first + k * chord.step, m, found.candidates);
      return;
    }
  }
  std::int32_t last = 0;
  for (std::int32_t part = parts_near(&l, m, found.half_part, y, root, &last); part <= last; ++part)
    found.parts.push_back(part);
}

template <typename Lines, typename Value, typename How = AsItIs>
void walk_group(Lines l, const GivenGroup& g, const Value& value, Found& found, const How& how = {}) {
  const float m = found.m;
  found.refused = found.refused || l.refused;
  for (; has_lines(&l); next_line(&l)) {
    const auto roots = roots_of(&l);
    for (const bool left : {false, true}) {
      if (left && !has_left(&l))
        continue;
      const auto y = left ? roots.left : roots.right;
      if (is_crowded(&l, roots.root))
        walk_crowded(l, y, roots.root, g, value, how, found);
      else if (const auto number = number_near(&l, m, y); is_near(&l, m, y, roots.root, number))
        keep_argument(argument_of(&l, m, number), m, found.candidates);
    }
  }
}

// The same with the filter before the lines behind the first: what it stops is not walked. Counts runs of lines.
template <typename Lines, typename Value, typename How = AsItIs>
void walk_filtered_group(Lines l, const GivenGroup& g, const Value& value, Found& found, std::uint64_t& runs,
                         std::uint64_t& stopped, const How& how = {}) {
  Lines first = l;
  first.last = std::min(float(l.last), float(l.line));
  walk_group(first, g, value, found, how);
  if (found.refused)
    return;
  auto filter = filter_of(&l, found.m);
  how.filter(filter);
  const float lines = l.last - l.line;
  const float left = l.last_left - l.line;
  for (std::uint32_t number = 1; float(number) <= lines; number += TMD_FILTERED_LINES) {
    ++runs;
    if (filter.usable &&
        !may_hit(&filter, float(number), filter.apex + number * filter.apex_step, float(number) <= left))
      ++stopped;
    else
      for (std::uint32_t k = 0; k < TMD_FILTERED_LINES; ++k)
        walk_group(lines_from(l, number + k, 1), g, value, found, how);
  }
}

// The same for a part, where the members of crowded classes are tried one by one.
template <typename Lines> bool walk_part(Lines l, float m, std::vector<std::int32_t>& candidates) {
  for (; !l.refused && has_lines(&l); next_line(&l)) {
    const auto roots = roots_of(&l);
    for (int side = 0; side < 2 && (side == 0 || has_left(&l)); ++side) {
      float member = 0.0f;
      float members = members_near(&l, m, side == 0 ? roots.right : roots.left, roots.root, &member);
      if (!(members <= engine::wide::most_members))
        return true;
      for (; members > 0.0f; members -= 1.0f, member += l.denominator)
        keep_argument(static_cast<std::int32_t>(l.side * member), m, candidates);
    }
  }
  return l.refused;
}

} // namespace tmd
