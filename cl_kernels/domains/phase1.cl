// Phase 1: one existence test a domain; keeps the domains that may hold a hard-to-round case.
//
// Expects what existence.clh, compaction.clh and items.clh expect.
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "existence.clh"
#include "../common/compaction.clh"
#include "../common/evidence.clh"
#include "../common/items.clh"
#include "parameters.clh"

// lines, slopes: the domains' centred lines, in units of 2^−64. Tests a slice of the domains; survivors: their indices;
// counters[0]: their number.
TMD_KERNEL void phase1(global const ulong *restrict lines, global const ulong *restrict slopes,
                       global uint *restrict survivors, domain_parameters p, launch_slice slice,
                       global uint *restrict counters) {
  TMD_COMPACTION_STORAGE
  u32 count = slice.count;
  u64 offset = p.offset1;
  evidence e = no_evidence();
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = (item + step * stride) * TMD_VECTOR_WIDTH;
    u32 domain = (u32)slice.first + position;
    u32 keep = 0;
    if (position < count) {
      u32 lanes = count - position;
      vu64 line = load_lanes(lines + domain, lanes);
      vu64 slope = load_lanes(slopes + domain, lanes);
      keep = flag_bits(may_exist(-slope, line + offset, 2 * offset, p.domain_size), lanes);
      finished(&e, position, min(lanes, (u32)TMD_VECTOR_WIDTH), slice.ticket);
    }
    u32 slot = reserve(popcount(keep), counters TMD_COMPACTION_ARGUMENT);
    for (; keep != 0; keep &= keep - 1, ++slot) {
      u32 survivor = domain + LOWEST_BIT(keep);
      e.kept[0] += survivor;
      if (slot < slice.capacity)
        survivors[slot] = survivor;
    }
  }
  testify(&e, counters);
}
