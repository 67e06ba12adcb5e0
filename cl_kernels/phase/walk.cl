// Windows of the phase, a chunk of them a work-item.
//
// Expects TMD_UNIT_BITS: 50, or TMD_ROBUST_BITS for chunks that were refused; TMD_M_WORDS; TMD_TARGETS; and
// TMD_VECTORIZER.
#include "../common/portable.clh"
#include "../common/append.clh"
#include "../common/evidence.clh"
#include "fixed_point.clh"
#include "layout.clh"
#include "lattice.clh"

typedef struct {
  global u64 *kept;
  u32 capacity;
  global u32 *counter;
  u32 sum;
} found_list;
#define FOUND found_list

void found(found_list *list, int target, i64 told) {
  u64 entry = TMD_FOUND_ENTRY(told, target);
  list->sum += entry_sum(entry);
  append_while_few(entry, list->kept, list->capacity, list->counter);
}

#include "walk.clh"

// Walks a slice of a batch's chunks, or of listed ones; the batch's last chunk has fewer windows, and those behind it
// none. starts: the chunks' starts, in that order. found: points that may be cases; refused: chunks with a refused
// window.
TMD_PHASE_KERNEL void phase_walk(global const phase_parameters *restrict parameters,
                                 global const ulong *restrict tables, global const ulong *restrict starts,
                                 global const ulong *restrict listed, global ulong *restrict kept,
                                 global ulong *restrict refused, uint is_listed, ulong windows, launch_slice slice,
                                 global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= slice.count)
    return;
  evidence e = no_evidence();
  u64 at = slice.first + item;
  u64 chunk = listed_at(at, listed, is_listed, &e);
  u32 chunk_bits = parameters->chunk_bits;
  u32 chunks_bits = parameters->group_bits - chunk_bits; // chunks of a group
  u64 left = windows - min(chunk << chunk_bits, (u64)windows);
  found_list list = {kept, slice.capacity, counters, 0};
  if (left > 0 && !walk_chunk(parameters, tables + (chunk >> chunks_bits) * TMD_TABLE_WORDS(parameters->degree),
                              starts + at * TMD_START_WORDS, (u32)(chunk & (((u64)1 << chunks_bits) - 1)),
                              (u32)min(left, (u64)1 << chunk_bits), &list)) {
    e.kept[1] = entry_sum(chunk);
    append(chunk, refused, slice.capacity, counters + 1);
  }
  e.kept[0] = list.sum;
  finished(&e, item, 1, slice.ticket);
  testify(&e, counters);
}
