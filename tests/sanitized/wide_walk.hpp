// How the kernels walk over the lines of wide_lines.clh: wide.cl over those of a group, wide_rest.cl over those of a part.
// Included in each namespace that holds a copy of that text.

inline wide_bounds bounds_of(const tmd::GivenGroup& group) {
  return {group.half_width, group.error, group.curvature, group.denominator_limit, group.most_lines};
}

// Appends the candidates; returns whether the group is refused. `change` may alter the lines before the walk.
template <typename Change>
[[maybe_unused]] bool walk_group(const tmd::GivenGroup& group, std::vector<i32>& candidates, const Change& change) {
  const float m = group.half_width;
  wide_lines l = lines_of(group.c0, group.c1, group.c2M2, bounds_of(group));
  change(l);
  const auto keep = [&](vfloat y, vfloat root) {
    const vfloat member = member_near(&l, m, y);
    if (is_near(&l, m, y, root, member) == 0)
      return;
    const auto i = static_cast<i32>(l.side * member);
    if (i >= -static_cast<i32>(m) && i < static_cast<i32>(m))
      candidates.push_back(i);
  };
  for (; l.refused == 0 && has_lines(&l) != 0; next_line(&l)) {
    const wide_roots roots = roots_of(&l);
    keep(roots.right, roots.root);
    if (has_left(&l) != 0)
      keep(roots.left, roots.root);
    l.refused = is_crowded(&l, roots.root);
  }
  return l.refused != 0;
}

// The same for a part, where crowded classes are walked, too.
[[maybe_unused]] inline bool walk_part(const tmd::GivenGroup& group, std::vector<i32>& candidates) {
  const float m = group.half_width;
  wide_lines l = lines_of(group.c0, group.c1, group.c2M2, bounds_of(group));
  for (; l.refused == 0 && has_lines(&l) != 0; next_line(&l)) {
    const wide_roots roots = roots_of(&l);
    for (int side = 0; side < 2 && (side == 0 || has_left(&l) != 0); ++side) {
      float member = 0.0f;
      float members = members_near(&l, m, side == 0 ? roots.right : roots.left, roots.root, &member);
      if (!(members <= 1024.0f))
        return true;
      for (; members > 0.0f; members -= 1.0f, member += l.denominator) {
        const auto i = static_cast<i32>(l.side * member);
        if (i >= -static_cast<i32>(m) && i < static_cast<i32>(m))
          candidates.push_back(i);
      }
    }
  }
  return l.refused != 0;
}
