// Makes the polynomials of sub-intervals, and looks over them.
//
// Expects nothing of the build.
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "shift.clh"
#include "../common/vector32.clh"
#include "polynomial.clh"
#include "seam.clh"
#include "../common/evidence.clh"

// Where the record of a sub-interval of the launch stands: `gap` records from number `gap_at` on are others'.
PURE u64 slot_of(u32 item, u32 gap_at, u32 gap) { return (u64)item + (item >= gap_at ? gap : 0); }

// Of the sub-intervals first … first + count − 1 of 2^sub_bits arguments each. coefficients: `size` of the interval's,
// of `words` words; scale: log2 of M². records: as polynomial.clh has them. ticket: evidence.clh.
kernel void wide_shift(global const ulong *restrict coefficients, uint size, uint words, ulong first, uint count,
                       uint sub_bits, int scale, uint gap_at, uint gap, global uint *restrict records, uint ticket,
                       global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  shift_to(coefficients, size, (int)words, (first + item) << sub_bits, scale, (int)sub_bits,
           records + slot_of(item, gap_at, gap) * TMD_RECORD_LIMBS);
  evidence e = no_evidence();
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}

// Looks over the records of `count` consecutive sub-intervals. counters[0]: those that are not what they should be, or
// do not meet the next. value_bound, slope_bound: seam_holds(). ticket: evidence.clh.
kernel void wide_seams(global const uint *restrict records, uint count, uint sub_bits, int scale, uint gap_at, uint gap,
                       ulong value_bound, ulong slope_bound, uint ticket, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  u64 slot = slot_of(item, gap_at, gap);
  u32 left[TMD_RECORD_FLOATS];
  load_record(left, records, slot << sub_bits, sub_bits);
  global const u32 *floats = records + slot * TMD_RECORD_LIMBS + TMD_RECORD_FLOATS;
  int holds = floats_hold(left, as_float(floats[0]), as_float(floats[1]), as_float(floats[2]), scale, (int)sub_bits);
  if (item + 1 < count) {
    u32 right[TMD_RECORD_FLOATS];
    load_record(right, records, slot_of(item + 1, gap_at, gap) << sub_bits, sub_bits);
    holds = holds && seam_holds(left, right, sub_bits, value_bound, slope_bound);
  }
  if (!holds)
    atomic_inc(counters);
  evidence e = no_evidence();
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}
