// Phase 2: each surviving domain is split into 2^split_bits sub-domains with a refined line each; the existence test
// again; keeps the sub-domains that may hold a hard-to-round case.
//
// Expects what existence.clh, compaction.clh and items.clh expect.
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "existence.clh"
#include "refinement.clh"
#include "../common/compaction.clh"
#include "../common/evidence.clh"
#include "../common/items.clh"
#include "parameters.clh"

// Tests a slice of the list (survivor s, sub-domain j), item = s·2^split_bits + j. kept: domain·2^split_bits + j;
// counters[0]: their number.
TMD_KERNEL void phase2(global const ulong *restrict lines, global const ulong *restrict slopes,
                       global const long *restrict curvatures, global const uint *restrict survivors,
                       global uint *restrict kept, domain_parameters p, launch_slice slice,
                       global uint *restrict counters) {
  TMD_COMPACTION_STORAGE
  u32 count = slice.count;
  u32 split_bits = p.split_bits;
  u64 offset = p.offset2;
  evidence e = no_evidence();
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  i64 last = (i64)p.domain_size - 1;
  i64 sub_size = (i64)(p.domain_size >> split_bits);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = (item + step * stride) * TMD_VECTOR_WIDTH;
    u32 index = (u32)slice.first + position;
    u32 keep = 0;
    if (position < count) {
      u32 lanes = count - position;
      u64 line_of[TMD_VECTOR_WIDTH];
      u64 slope_of[TMD_VECTOR_WIDTH];
      i64 curvature_of[TMD_VECTOR_WIDTH];
      i64 start_of[TMD_VECTOR_WIDTH];
      for (u32 lane = 0; lane < TMD_VECTOR_WIDTH; ++lane) {
        u32 at = index + (lane < lanes ? lane : 0);
        u32 domain = survivors[at >> split_bits];
        e.read += lane < lanes ? domain : 0;
        line_of[lane] = lines[domain];
        slope_of[lane] = slopes[domain];
        curvature_of[lane] = curvatures[domain];
        start_of[lane] = (i64)(at & ((1u << split_bits) - 1u)) * sub_size;
      }
      vu64 slope;
      vu64 line = sub_domain_line(LANES_OF(line_of), LANES_OF(slope_of), LANES_OF(curvature_of), p.scale, last,
                                  LANES_OF(start_of), sub_size - 1, &slope);
      keep = flag_bits(may_exist(-slope, line + offset, 2 * offset, (u64)sub_size), lanes);
      finished(&e, position, min(lanes, (u32)TMD_VECTOR_WIDTH), slice.ticket);
    }
    u32 slot = reserve(popcount(keep), counters TMD_COMPACTION_ARGUMENT);
    for (; keep != 0; keep &= keep - 1, ++slot) {
      u32 at = index + LOWEST_BIT(keep);
      u32 sub_domain = (survivors[at >> split_bits] << split_bits) | (at & ((1u << split_bits) - 1u));
      e.kept[0] += sub_domain;
      if (slot < slice.capacity)
        kept[slot] = sub_domain;
    }
  }
  testify(&e, counters);
}
