// All three phases in one kernel, a domain a work-item: the seeds' baseline. Work-items whose domain is discarded wait
// for those of their SIMD group whose is not. Source: seed 000 section III; seed 004, algorithm 1.
//
// Expects what existence.clh and items.clh expect.
#define TMD_VECTOR_WIDTH 1
#include "../../common/portable.clh"
#include "../../common/vector.clh"
#include "../existence.clh"
#include "../refinement.clh"
#include "../../common/append.clh"
#include "../../common/evidence.clh"
#include "../layout.clh"
#include "../parameters.clh"
#include "../../common/items.clh"

// Searches a slice of the domains. kept: candidates, domain·domain_size + m. counters: candidates, survivors of phase
// 1, of phase 2.
kernel void one_kernel(global const ulong *restrict lines, global const ulong *restrict slopes,
                       global const long *restrict curvatures, global ulong *restrict kept, domain_parameters p,
                       launch_slice slice, global uint *restrict counters) {
  evidence e = no_evidence();
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  i64 last = (i64)p.domain_size - 1;
  i64 sub_size = (i64)(p.domain_size >> p.split_bits);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = item + step * stride;
    if (position >= slice.count)
      continue;
    u32 domain = (u32)slice.first + position;
    finished(&e, position, 1, slice.ticket);
    u64 line = lines[domain];
    u64 slope = slopes[domain];
    if (!may_exist(-slope, line + p.offset1, 2 * p.offset1, p.domain_size))
      continue;
    atomic_inc(counters + 1);
    i64 curvature = curvatures[domain];
    for (u32 part = 0; part < (1u << p.split_bits); ++part) {
      i64 start = (i64)part * sub_size;
      u64 sub_slope;
      u64 sub_line = sub_domain_line(line, slope, curvature, p.scale, last, start, sub_size - 1, &sub_slope);
      if (!may_exist(-sub_slope, sub_line + p.offset2, 2 * p.offset2, (u64)sub_size))
        continue;
      atomic_inc(counters + 2);
      tabulation t = tabulate_from(line, slope, curvature, p.scale, last, start);
      u64 argument = domain_number(domain, p.packets, p.packet_bits) * p.domain_size + (u64)start;
      for (i64 m = 0; m < sub_size; ++m, ++argument) {
        if (t.value + p.offset3 < 2 * p.offset3 && argument < p.argument_limit) {
          e.kept[0] += entry_sum(argument);
          append(argument, kept, slice.capacity, counters);
        }
        tabulate_next(&t);
      }
    }
  }
  testify(&e, counters);
}
