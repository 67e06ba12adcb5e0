// The kernel that makes the polynomials of sub-intervals. A program of its own, of which there is one for each number
// of words: the coefficients are kept in registers.
//
// Expects what shift.clh expects.
#include "../common/portable.clh"
#include "../common/evidence.clh"
#include "shift.clh"
#include "sources.clh"

// Of `count` sub-intervals of 2^sub_bits arguments each. scale: log2 of M². records: as polynomial.clh has them.
// ticket: evidence.clh.
kernel void wide_shift(global const ulong *restrict sources, uint source_count, uint count, uint sub_bits, int scale,
                       uint gap_at, uint gap, global uint *restrict records, uint ticket,
                       global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  global const u64 *source = source_of(sources, source_count, item);
  shift_to(sources + source[2], (u32)source[3], (u32)source[1] + (item - (u32)source[0]), scale, (int)sub_bits,
           records + slot_of(item, gap_at, gap) * TMD_RECORD_LIMBS);
  evidence e = no_evidence();
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}
