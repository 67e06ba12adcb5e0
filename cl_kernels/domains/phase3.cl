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

#define TMD_BLOCK 8 // arguments in the unrolled loop

// Runs first … first + count − 1 of the list (sub-domain s, run r), run = s·2^run_split_bits + r; a work-item evaluates
// one run of run_size arguments. sub_domains: domain·2^split_bits + part; with all_domains != 0 the list is not read:
// sub-domain s is s itself. offset: ε' and this phase's rounding, in units of 2^−64.
// kept: domain·domain_size + m, only those below argument_limit, in number counters[0]. ticket: evidence.clh.
kernel void phase3(global const ulong *restrict lines, global const ulong *restrict slopes,
                   global const long *restrict curvatures, uint scale, global const uint *restrict sub_domains,
                   uint all_domains, ulong first, uint count, ulong domain_size, uint split_bits, uint run_split_bits,
                   ulong offset, ulong argument_limit, uint packets, uint packet_bits, global ulong *restrict kept,
                   uint capacity, uint ticket, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  u64 index = first + item;
  u64 list_index = index >> run_split_bits;
  u64 run = index & (((u64)1 << run_split_bits) - 1);
  u64 sub_domain = all_domains ? list_index : sub_domains[list_index];
  evidence e = no_evidence();
  e.read = all_domains ? 0 : (u32)sub_domain;
  u32 domain = (u32)(sub_domain >> split_bits);
  u64 part = sub_domain & (((u64)1 << split_bits) - 1);
  u32 run_size = (u32)(domain_size >> (split_bits + run_split_bits));
  i64 start = (i64)(part * (domain_size >> split_bits) + run * run_size);
  tabulation t = tabulate_from(lines[domain], slopes[domain], curvatures[domain], scale, (i64)domain_size - 1, start);
  u64 argument = domain_number(domain, packets, packet_bits) * domain_size + (u64)start;
  // Most arguments are dismissed by the upper halves of what is compared.
  t.value += offset;
  u64 limit = 2 * offset;
  u32 upper_limit = (u32)(limit >> 32);
  u32 m = 0;
  for (; m + TMD_BLOCK <= run_size; m += TMD_BLOCK) {
    TMD_UNROLL
    for (u32 i = 0; i < TMD_BLOCK; ++i) {
      if ((u32)(t.value >> 32) <= upper_limit && t.value < limit && argument + m + i < argument_limit) {
        e.kept[0] += entry_sum(argument + m + i);
        append(argument + m + i, kept, capacity, counters);
      }
      tabulate_next(&t);
    }
  }
  for (; m < run_size; ++m) { // a run of less than a block
    if (t.value < limit && argument + m < argument_limit) {
      e.kept[0] += entry_sum(argument + m);
      append(argument + m, kept, capacity, counters);
    }
    tabulate_next(&t);
  }
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}
