// Phase 1: one existence test a domain; keeps the domains that may hold a hard-to-round case.
//
// Expects: TMD_ITEMS_PER_WORK_ITEM, 1 … 4096, domains that a work-item tests one after the other; and what
// existence.clh, division.clh and compaction.clh expect.
#include "portable.clh"
#include "division.clh"
#include "existence.clh"
#include "compaction.clh"

#ifndef TMD_ITEMS_PER_WORK_ITEM
#error "TMD_ITEMS_PER_WORK_ITEM is missing: 1 to 4096"
#elif TMD_ITEMS_PER_WORK_ITEM < 1 || TMD_ITEMS_PER_WORK_ITEM > 4096
#error "TMD_ITEMS_PER_WORK_ITEM is out of range: 1 to 4096"
#endif

TMD_DEFINE_COMPACT(compact_domains, u32)

// lines, slopes: the domains' centred lines, in units of 2^−64. offset: ε'' of this phase, in the same unit.
// Tests the domains first … first + count − 1 of domain_size arguments; survivors: their indices; counter: how many.
kernel void phase1(global const ulong *restrict lines, global const ulong *restrict slopes, uint first, uint count,
                   ulong domain_size, ulong offset, global uint *restrict survivors, uint capacity,
                   global uint *restrict counter) {
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = item + step * stride;
    u32 domain = first + position;
    int keep = 0;
    if (position < count)
      keep = may_exist(-slopes[domain], lines[domain] + offset, 2 * offset, domain_size);
    compact_domains(keep, domain, survivors, capacity, counter);
  }
}
