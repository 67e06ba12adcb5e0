// Parts of rows of boxes, one for each work-item: lists the pairs that floats do not rule out, and the refused boxes.
//
// TMD_TILES: F is a tile's polynomial, whose words `tables` has; otherwise x^y, or with TMD_COMPOUND (1 + x)^y, and
// `tables` has the words of its series.
#include "../common/portable.clh"
// If boxes are long, each has some hits: one counter of an H200 took 10 ns for each hit appended alone.
#define TMD_HELD 16
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

// Walks a slice of the items of a batch's strips. kept: hits; refused: boxes, by their rows' first items. The third
// counter counts the boxes walked.
kernel void boxes_walk(global const ulong *restrict tables, global const box_strip *restrict strips, uint strip_count,
                       global ulong *restrict kept, global ulong *restrict refused, launch_slice slice,
                       global uint *restrict counters) {
  const u32 position = (u32)get_global_id(0);
  if (position >= slice.count)
    return;
  evidence e = no_evidence();
  const u64 item = slice.first + position;
  const u32 number = strip_of(strips, strip_count, item);
  global const box_strip *strip = strips + number;
  const u64 in_strip = item - strip->first_item;
  const u32 rows = rows_of(strip);
  const i32 row = (i32)(in_strip % rows);
  const i32 part = (i32)(in_strip / rows);
  found_list list;
  list.row = strip->first_item + (u64)row;
  list.kept = kept;
  list.refused = refused;
  list.counters = counters;
  list.capacity = slice.capacity;
  list.sum = 0;
  list.refused_sum = 0;
  list.held.count = 0;
  atomic_add(counters + 2, (u32)walk_part(tables, strip, number, row, part, &list));
  hand_over(&list.held, list.kept, list.capacity, list.counters);
  e.kept[0] = list.sum;
  e.kept[1] = list.refused_sum;
  finished(&e, position, 1, slice.ticket);
  testify(&e, counters);
}
