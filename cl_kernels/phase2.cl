// Phase 2: each surviving domain is split into 2^split_bits sub-domains with a refined line each; the existence test
// again; keeps the sub-domains that may hold a hard-to-round case.
//
// Expects what existence.clh, compaction.clh and items.clh expect.
#include "portable.clh"
#include "existence.clh"
#include "refinement.clh"
#include "compaction.clh"
#include "items.clh"

// Items first … first + count − 1 of the list (survivor s, sub-domain j), item = s·2^split_bits + j.
// offset: ε'' of this phase in units of 2^−64. kept: domain·2^split_bits + j.
kernel void phase2(global const ulong *restrict lines, global const ulong *restrict slopes,
                   global const long *restrict curvatures, uint scale, global const uint *restrict survivors,
                   uint first, uint count, ulong domain_size, uint split_bits, ulong offset,
                   global uint *restrict kept, uint capacity, global uint *restrict counter) {
  TMD_COMPACTION_STORAGE
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  i64 last = (i64)domain_size - 1;
  i64 sub_size = (i64)(domain_size >> split_bits);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = item + step * stride;
    u32 id = 0;
    int keep = 0;
    if (position < count) {
      u32 index = first + position;
      u32 domain = survivors[index >> split_bits];
      u32 part = index & ((1u << split_bits) - 1u);
      u64 slope;
      u64 line = sub_domain_line(lines[domain], slopes[domain], curvatures[domain], scale, last,
                                 (i64)part * sub_size, sub_size - 1, &slope);
      id = (domain << split_bits) | part;
      keep = may_exist(-slope, line + offset, 2 * offset, (u64)sub_size);
    }
    compact(keep, id, kept, capacity, counter TMD_COMPACTION_ARGUMENT);
  }
}
