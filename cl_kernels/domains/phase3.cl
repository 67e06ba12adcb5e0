// Phase 3: every argument of the surviving sub-domains, by tabulated differences of the domain's polynomial; keeps the
// arguments closer than ε' to a breakpoint.
//
// Expects nothing of the build.
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "refinement.clh"
#include "../common/append.clh"
#include "../common/evidence.clh"
#include "layout.clh"
#include "parameters.clh"

#define TMD_BLOCK 8 // arguments in the unrolled loop

// Takes a slice of the list (sub-domain s, run r), run = s·2^run_split_bits + r; a work-item evaluates one run of
// run_size arguments. sub_domains: domain·2^split_bits + part; with all_domains != 0 the list is not read: sub-domain s
// is s itself. kept: domain·domain_size + m; counters[0]: their number.
kernel void phase3(global const ulong *restrict lines, global const ulong *restrict slopes,
                   global const long *restrict curvatures, global const uint *restrict sub_domains,
                   global ulong *restrict kept, uint all_domains, uint run_split_bits, domain_parameters p,
                   launch_slice slice, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= slice.count)
    return;
  u64 offset = p.offset3;
  u64 index = slice.first + item;
  u64 list_index = index >> run_split_bits;
  u64 run = index & (((u64)1 << run_split_bits) - 1);
  u64 sub_domain = all_domains ? list_index : sub_domains[list_index];
  evidence e = no_evidence();
  e.read = all_domains ? 0 : (u32)sub_domain;
  u32 domain = (u32)(sub_domain >> p.split_bits);
  u64 part = sub_domain & (((u64)1 << p.split_bits) - 1);
  u32 run_size = (u32)(p.domain_size >> (p.split_bits + run_split_bits));
  i64 start = (i64)(part * (p.domain_size >> p.split_bits) + run * run_size);
  tabulation t =
      tabulate_from(lines[domain], slopes[domain], curvatures[domain], p.scale, (i64)p.domain_size - 1, start);
  u64 argument = domain_number(domain, p.packets, p.packet_bits) * p.domain_size + (u64)start;
  // For most arguments, comparing the upper halves is enough.
  t.value += offset;
  u64 limit = 2 * offset;
  u32 upper_limit = (u32)(limit >> 32);
  u32 m = 0;
  for (; m + TMD_BLOCK <= run_size; m += TMD_BLOCK) {
    TMD_UNROLL
    for (u32 i = 0; i < TMD_BLOCK; ++i) {
      if ((u32)(t.value >> 32) <= upper_limit && t.value < limit && argument + m + i < p.argument_limit) {
        e.kept[0] += entry_sum(argument + m + i);
        append(argument + m + i, kept, slice.capacity, counters);
      }
      tabulate_next(&t);
    }
  }
  for (; m < run_size; ++m) { // the rest of a run, less than a block
    if (t.value < limit && argument + m < p.argument_limit) {
      e.kept[0] += entry_sum(argument + m);
      append(argument + m, kept, slice.capacity, counters);
    }
    tabulate_next(&t);
  }
  finished(&e, item, 1, slice.ticket);
  testify(&e, counters);
}
