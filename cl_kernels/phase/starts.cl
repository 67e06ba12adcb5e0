// The starts of a batch's chunks, a group of them a work-item.
//
// Expects nothing of the build.
#include "../common/portable.clh"
#include "../common/evidence.clh"
#include "fixed_point.clh"
#include "layout.clh"
#include "lattice.clh"
#define TMD_UNIT_BITS TMD_ROBUST_BITS
#define FOUND u32
void found(u32 *sink, i64 m) { (void)sink, (void)m; }
#include "walk.clh"
#include "starts.clh"

// Of the groups first … first + count − 1 of a batch of `windows`. group_starts: each group's first. starts: of all
// chunks. made: how many of each group could be begun. ticket: evidence.clh.
kernel void phase_starts(global const phase_parameters *restrict parameters, global const ulong *restrict tables,
                         global const ulong *restrict group_starts, uint first, uint count, ulong windows,
                         global ulong *restrict starts, global ulong *restrict made, uint ticket,
                         global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  u64 group = first + item;
  u32 group_bits = parameters->group_bits;
  u32 chunk_bits = parameters->chunk_bits;
  u64 left = min(windows - (group << group_bits), (u64)1 << group_bits);
  u32 chunks = (u32)(((left - 1) >> chunk_bits) + 1);
  made[group] = make_starts(parameters, tables + group * TMD_TABLE_WORDS(parameters->degree),
                            group_starts + group * TMD_START_WORDS, 0, chunks,
                            starts + (group << (group_bits - chunk_bits)) * TMD_START_WORDS);
  evidence e = no_evidence();
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}
