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
#include "../common/multiword.clh"
#include "layout.clh"

TMD_DEFINE_ADD_PRODUCT(add_product_words, TMD_POLYNOMIAL_WORDS, TMD_BINOMIAL_WORDS, global)
TMD_DEFINE_SCALE(scale_binomial, TMD_BINOMIAL_WORDS)

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

// A work-item makes the difference of one order at the first argument k of a run, sum over j of
// coefficient[order + j]·C(k, j), or 0 if the stretch's runs have fewer. Its two words for run r are
// rows[order·2·runs + r] and rows[(order·2 + 1)·runs + r].
kernel void starts(global const ulong *restrict stretches, uint stretch_count, global const ulong *restrict words,
                   global ulong *restrict rows, uint runs, launch_slice slice, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= slice.count)
    return;
  u32 run = item % runs;
  u32 order = item / runs;
  global const ulong *stretch = stretch_of(run, stretches, stretch_count);
  global const ulong *coefficients = words + stretch[TMD_STRETCH_AT];
  u32 size = order <= stretch[TMD_STRETCH_DIFFERENCES] ? (u32)stretch[TMD_STRETCH_SIZE] : 0;
  u64 k = (run - stretch[TMD_STRETCH_FIRST_RUN]) << stretch[TMD_STRETCH_RUN_BITS];
  u64 sum[TMD_POLYNOMIAL_WORDS];
  TMD_UNROLL
  for (int w = 0; w < TMD_POLYNOMIAL_WORDS; ++w)
    sum[w] = 0;
  u64 binomial[TMD_BINOMIAL_WORDS];
  TMD_UNROLL
  for (int w = 0; w < TMD_BINOMIAL_WORDS; ++w)
    binomial[w] = w == TMD_BINOMIAL_WORDS - 1 ? 1 : 0;
  for (u32 j = 0; order + j < size; ++j) {
    add_product_words(sum, coefficients + (order + j) * TMD_POLYNOMIAL_WORDS, binomial);
    // C(k, j + 1) = C(k, j)·(k − j)/(j + 1); once 0, at j = k, it stays 0.
    scale_binomial(binomial, (k - j) & 0xffffffffu, j + 1);
  }
  rows[(u64)(2 * order) * runs + run] = sum[0];
  rows[(u64)(2 * order + 1) * runs + run] = sum[1];
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
