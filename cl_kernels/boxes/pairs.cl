// Pairs in fixed point: hits of the walk one by one; refused boxes, and strips without boxes, by their lines. TMD_TILES
// and TMD_COMPOUND: as in walk.cl.
#include "../common/portable.clh"
#define TMD_HELD 0
#include "../common/append.clh"
#include "../common/evidence.clh"
#include "layout.clh"
#include "surface.clh"
#include "places.clh"
#include "vectors.clh"
#include "lists.clh"
#include "lines.clh"
#ifdef TMD_TILES
#include "tiles.clh"
#else
#include "fixed_power.clh"
#include "power_surface.clh"
#include "power_rows.clh"
#endif
#include "rows.clh"

// A slice of the walk's hits. kept: those that may be cases.
kernel void boxes_filter(global const ulong *restrict tables, global const box_strip *restrict strips,
                         global const ulong *restrict hits, global ulong *restrict kept, launch_slice slice,
                         global uint *restrict counters) {
  const u32 position = (u32)get_global_id(0);
  if (position >= slice.count)
    return;
  evidence e = no_evidence();
  const u64 hit = listed_at(slice.first + position, hits, 1, &e);
  global const box_strip *strip = strips + (u32)(hit >> (2 * TMD_PAIR_BITS));
  const u32 mask = (1u << TMD_PAIR_BITS) - 1;
  if (may_be_case(tables, strip, (i32)((u32)(hit >> TMD_PAIR_BITS) & mask), (i32)((u32)hit & mask))) {
    e.kept[0] = entry_sum(hit);
    append_while_few(hit, kept, slice.capacity, counters);
  }
  finished(&e, position, 1, slice.ticket);
  testify(&e, counters);
}

// Takes a slice of shares, TMD_SHARES for each box: of listed boxes, or else of all boxes of the strips' items. kept:
// pairs that may be cases.
kernel void boxes_pairs(global const ulong *restrict tables, global const box_strip *restrict strips, uint strip_count,
                        global const ulong *restrict listed, uint is_listed, global ulong *restrict kept,
                        launch_slice slice, global uint *restrict counters) {
  const u32 position = (u32)get_global_id(0);
  if (position >= slice.count)
    return;
  evidence e = no_evidence();
  const u64 at = slice.first + position;
  const u64 entry = listed_at(at / TMD_SHARES, listed, is_listed, &e);
  const u64 item = is_listed ? entry >> TMD_BOX_BITS : entry;
  const u32 number = strip_of(strips, strip_count, item);
  global const box_strip *strip = strips + number;
  const u64 in_strip = item - strip->first_item;
  const u32 rows = rows_of(strip);
  const i32 row = (i32)(in_strip % rows);
  box_range r;
  r.first = (i32)(entry & ((1u << TMD_BOX_BITS) - 1));
  r.end = r.first + 1;
  if (!is_listed)
    r = part_of(tables, strip, row, (i32)(in_strip / rows));
  found_list list;
  list.kept = kept;
  list.counters = counters;
  list.capacity = slice.capacity;
  list.sum = 0;
  list.held.count = 0;
  for (i32 box = r.first; box < r.end; ++box) {
    const place p = place_of(strip, number, row, box);
    look_at_pairs(tables, &p, (i32)(at % TMD_SHARES), &list);
  }
  e.kept[0] = list.sum;
  finished(&e, position, 1, slice.ticket);
  testify(&e, counters);
}
