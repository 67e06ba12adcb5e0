// The starts of a batch's chunks, from those of groups of them or of longer chunks, of which a work-item takes one.
//
// Expects TMD_M_WORDS, TMD_TARGETS and TMD_VECTORIZER.
#include "../common/portable.clh"
#include "../common/evidence.clh"
#include "fixed_point.clh"
#include "layout.clh"
#define TMD_UNIT_BITS TMD_ROBUST_BITS
#include "lattice.clh"
#define FOUND u32
void found(u32 *sink, int target, i64 told) { (void)sink, (void)target, (void)told; }
#include "walk.clh"
#include "starts.clh"

// Takes a slice of the numbers in a batch of `windows`, or of listed ones: each makes 2^share_bits chunks, fewer at the
// batch's end. from: their own starts, by number. starts: those of all chunks, in the order of the items. made: number
// of chunks of each item that could be started.
TMD_PHASE_KERNEL void phase_starts(global const phase_parameters *restrict parameters,
                                   global const ulong *restrict tables, global const ulong *restrict from,
                                   global const ulong *restrict listed, global ulong *restrict starts,
                                   global ulong *restrict made, uint is_listed, uint share_bits, ulong windows,
                                   launch_slice slice, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= slice.count)
    return;
  evidence e = no_evidence();
  u64 at = slice.first + item;
  u64 number = listed_at(at, listed, is_listed, &e);
  u32 chunk_bits = parameters->chunk_bits;
  u32 chunks_bits = parameters->group_bits - chunk_bits; // chunks of a group
  u64 chunk = number << share_bits;
  u64 left = min(windows - (chunk << chunk_bits), (u64)1 << (share_bits + chunk_bits));
  made[at] = make_starts(parameters, tables + (chunk >> chunks_bits) * TMD_TABLE_WORDS(parameters->degree),
                         from + number * TMD_START_WORDS, (u32)(chunk & (((u64)1 << chunks_bits) - 1)),
                         (u32)(((left - 1) >> chunk_bits) + 1), starts + (at << share_bits) * TMD_START_WORDS);
  finished(&e, item, 1, slice.ticket);
  testify(&e, counters);
}
