// Every argument of stretches that have one polynomial each, by differences modulo 1: `starts` makes the differences at
// the first argument of each run, and `walk` adds them up from argument to argument, keeps the arguments near an
// integer, and compares the sum behind a run's last argument with the start of the next run.
// Host reference: DifferenceStretch, equal bit for bit (host/engine/differences/stretch.cpp).
//
// Expects
//   TMD_DIFFERENCES     1 … 12, differences of a run at most
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"

#ifndef TMD_DIFFERENCES
#error "TMD_DIFFERENCES is missing: 1 to 12"
#elif TMD_DIFFERENCES < 1 || TMD_DIFFERENCES > 12
#error "TMD_DIFFERENCES is out of range: 1 to 12"
#endif

#include "../common/append.clh"
#include "../common/evidence.clh"
#include "layout.clh"

// The stretch that has a run: the last one that begins with it or before. stretches: TMD_STRETCH_WORDS for each.
global const ulong *stretch_of(u32 run, global const ulong *stretches, u32 count) {
  u32 low = 0;
  for (u32 high = count; high - low > 1;) {
    u32 middle = low + (high - low) / 2;
    if (stretches[middle * TMD_STRETCH_WORDS] <= run)
      low = middle;
    else
      high = middle;
  }
  return stretches + low * TMD_STRETCH_WORDS;
}

// x = x·factor + y, for y in words of two limbs.
PURE void times_plus(u32 *x, u32 factor, global const ulong *y) {
  u64 carry = 0;
  TMD_UNROLL
  for (int i = TMD_COEFFICIENT_LIMBS - 1; i >= 0; --i) {
    u32 limb = (u32)(y[i / 2] >> (i % 2 == 0 ? 32 : 0));
    u64 sum = (u64)x[i] * factor + carry + limb;
    x[i] = (u32)sum;
    carry = sum >> 32;
  }
}

// A work-item makes the difference of one order at the first argument of a run, by Horner's scheme modulo 1 from its
// coefficients of powers of the run's number in the stretch; or 0 if the stretch's runs have fewer differences. Its two
// words for run r are rows[order·2·runs + r] and rows[(order·2 + 1)·runs + r].
kernel void starts(global const ulong *restrict stretches, uint stretch_count, global const ulong *restrict words,
                   global ulong *restrict rows, uint runs, launch_slice slice, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= slice.count)
    return;
  u32 run = item % runs;
  u32 order = item / runs;
  global const ulong *stretch = stretch_of(run, stretches, stretch_count);
  u32 size = (u32)stretch[TMD_STRETCH_SIZE];
  u32 in_stretch = run - (u32)stretch[TMD_STRETCH_FIRST_RUN];
  u32 x[TMD_COEFFICIENT_LIMBS];
  TMD_UNROLL
  for (int i = 0; i < TMD_COEFFICIENT_LIMBS; ++i)
    x[i] = 0;
  if (order <= stretch[TMD_STRETCH_DIFFERENCES]) {
    // Orders before this one have size, size - 1, … coefficients.
    u32 before = order * size - order * (order - 1) / 2;
    global const ulong *coefficients = words + stretch[TMD_STRETCH_AT] + before * (TMD_COEFFICIENT_LIMBS / 2);
    TMD_ROLLED
    for (u32 i = size - order; i-- > 0;)
      times_plus(x, in_stretch, coefficients + i * (TMD_COEFFICIENT_LIMBS / 2));
  }
  rows[(u64)(2 * order) * runs + run] = ((u64)x[0] << 32) | x[1];
  rows[(u64)(2 * order + 1) * runs + run] = ((u64)x[2] << 32) | x[3];
  evidence e = no_evidence();
  finished(&e, item, 1, slice.ticket);
  testify(&e, counters);
}

// A work-item walks through a run. Kept: run·2^TMD_PLACE_BITS + place in it, of arguments within `tolerance` of an
// integer; and the place TMD_WRONG_END of a run that does not end within seam_tolerance of where the next one starts.
kernel void walk(global const ulong *restrict stretches, uint stretch_count, global const ulong *restrict rows,
                 uint runs, ulong tolerance, ulong seam_tolerance, global ulong *restrict kept, launch_slice slice,
                 global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= slice.count)
    return;
  u32 run = (u32)(slice.first + item);
  global const ulong *stretch = stretch_of(run, stretches, stretch_count);
  u64 before = (run - stretch[TMD_STRETCH_FIRST_RUN]) << stretch[TMD_STRETCH_RUN_BITS];
  u64 rest = stretch[TMD_STRETCH_COUNT] - before;
  u32 length = (u32)1 << stretch[TMD_STRETCH_RUN_BITS];
  int is_last = rest <= length;
  if (is_last)
    length = (u32)rest;
  u64 high[TMD_DIFFERENCES + 1];
  u64 low[TMD_DIFFERENCES + 1];
  TMD_UNROLL
  for (int l = 0; l <= TMD_DIFFERENCES; ++l) {
    high[l] = rows[(u64)(2 * l) * runs + run];
    low[l] = rows[(u64)(2 * l + 1) * runs + run];
  }
  evidence e = no_evidence();
  u64 limit = 2 * tolerance;
  for (u32 place = 0; place < length; ++place) {
    if (high[0] + tolerance <= limit) {
      u64 entry = ((u64)run << TMD_PLACE_BITS) + place;
      e.kept[0] += entry_sum(entry);
      append(entry, kept, slice.capacity, counters);
    }
    TMD_UNROLL
    for (int l = 0; l < TMD_DIFFERENCES; ++l) {
      low[l] += low[l + 1];
      high[l] += high[l + 1] + (low[l] < low[l + 1] ? 1 : 0);
    }
  }
  if (!is_last && high[0] - rows[run + 1] + seam_tolerance > 2 * seam_tolerance) {
    u64 entry = ((u64)run << TMD_PLACE_BITS) + TMD_WRONG_END;
    e.kept[0] += entry_sum(entry);
    append(entry, kept, slice.capacity, counters);
  }
  finished(&e, item, 1, slice.ticket);
  testify(&e, counters);
}
