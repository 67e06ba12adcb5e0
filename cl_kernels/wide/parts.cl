// Refused groups of the wide test, in parts, with all members of a class that may count.
//
// Expects what lines.clh expects.
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "../common/vector32.clh"
#include "lines.clh"
#include "parabola.clh"
#include "../common/append.clh"
#include "../common/evidence.clh"
#include "../common/shared_list.clh"

#define TMD_MOST_MEMBERS 1024.0f // members of a class that a part tries for one root
#define TMD_MOST_HELD 192        // candidates that a work-group holds until it reserves places for them all

// Keeps the arguments of a part around `centre` that may be close to a breakpoint. Returns whether the test refuses it.
static int walk_part(wide_lines l, u64 centre, u32 half_size, const shared_list *kept) {
  float m = (float)half_size;
  if (l.refused)
    return 1;
  for (; has_lines(&l); next_line(&l)) {
    wide_roots roots = roots_of(&l);
    for (int side = 0; side < 2 && (side == 0 || has_left(&l)); ++side) {
      float member;
      float members = members_near(&l, m, side == 0 ? roots.right : roots.left, roots.root, &member);
      if (!(members <= TMD_MOST_MEMBERS))
        return 1;
      for (; members > 0.0f; members -= 1.0f, member += l.denominator) {
        i32 i = (i32)(l.side * member);
        if (i < -(i32)half_size || i >= (i32)half_size)
          continue;
        keep_together(centre + (u64)(i64)i, kept);
      }
    }
  }
  return 0;
}

// Takes a slice of the listed parts. refused: their numbers among all. parameters: with the bounds of parts instead of
// groups. candidates: arguments, counted by counters[0]; swept: first arguments of the parts that are refused again,
// counted by counters[1].
kernel void wide_parts(global const uint *restrict polynomials, global const ulong *restrict refused,
                       global ulong *restrict candidates, global ulong *restrict swept, wide_parameters parameters,
                       launch_slice slice, global uint *restrict counters) {
  local u64 held[TMD_MOST_HELD];
  local u32 held_count;
  local u32 held_first;
  evidence e = no_evidence();
  shared_list kept;
  kept.held = held;
  kept.held_count = &held_count;
  kept.most_held = min((u32)TMD_MOST_HELD, 3 * (u32)get_local_size(0));
  kept.list = candidates;
  kept.capacity = slice.capacity;
  kept.counter = counters;
  kept.sum = &e.kept[0];
  if (get_local_id(0) == 0)
    held_count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  u32 item = (u32)get_global_id(0);
  if (item < slice.count) {
    u64 part = refused[slice.first + item];
    e.read = entry_sum(part);
    u32 bits = parameters.group_bits - parameters.part_bits;
    u32 half_size = 1u << (bits - 1);
    u64 centre = (part << bits) + half_size;
    wide_parabola p = parabola_around(centre, bits, polynomials, parameters.sub_bits, parameters.per_sub_interval);
    e.marks += is_overwritten(polynomials, centre, parameters.sub_bits);
    p.c2M2 *= ldexp(1.0f, -2 * (int)parameters.part_bits); // in terms of the part's own M
    wide_lines lines = lines_of(p.c0, p.c1, p.c2M2, parameters.bounds);
    if (walk_part(lines, centre, half_size, &kept)) {
      e.kept[1] += entry_sum(centre - half_size);
      append(centre - half_size, swept, slice.capacity, counters + 1);
    }
    finished(&e, item, 1, slice.ticket);
  }
  hand_over_together(&kept, &held_first);
  testify(&e, counters);
}
