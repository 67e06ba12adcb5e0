// Arguments one by one: the candidates of the wide test, and those of parts that it refused twice.
//
// Expects nothing of the build.
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "../common/vector32.clh"
#include "polynomial.clh"
#include "../common/append.clh"
#include "../common/evidence.clh"

// Candidates first … first + count − 1: keeps those closer than `bound` to a breakpoint, in units of 2^−64.
// ticket: evidence.clh.
kernel void wide_check(global const uint *restrict polynomials, uint sub_bits, global const ulong *restrict candidates,
                       uint first, uint count, ulong bound, ulong argument_limit, global ulong *restrict kept,
                       uint capacity, uint ticket, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  u64 argument = candidates[first + item];
  evidence e = no_evidence();
  e.read = entry_sum(argument);
  u32 record[TMD_RECORD_FLOATS];
  load_record(record, polynomials, argument, sub_bits);
  u64 value = value_at(record, argument & (((u64)1 << sub_bits) - 1));
  if (value + bound < 2 * bound && argument < argument_limit) {
    e.kept[0] = entry_sum(argument);
    append(argument, kept, capacity, counters);
  }
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}

// Runs first … first + count − 1 of the listed parts, 2^runs_bits of 2^run_bits arguments in each: keeps every argument
// closer than `bound` to a breakpoint.
kernel void wide_sweep(global const uint *restrict polynomials, uint sub_bits, global const ulong *restrict swept,
                       ulong first, uint count, uint runs_bits, uint run_bits, ulong bound, ulong argument_limit,
                       global ulong *restrict kept, uint capacity, uint ticket, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= count)
    return;
  u64 run = first + item;
  u64 part = swept[run >> runs_bits];
  evidence e = no_evidence();
  e.read = entry_sum(part);
  u64 argument = part + ((run & (((u64)1 << runs_bits) - 1)) << run_bits);
  u32 record[TMD_RECORD_FLOATS];
  load_record(record, polynomials, argument, sub_bits);
  u64 t = argument & (((u64)1 << sub_bits) - 1);
  for (u32 i = 0; i < 1u << run_bits; ++i)
    if (value_at(record, t + i) + bound < 2 * bound && argument + i < argument_limit) {
      e.kept[0] += entry_sum(argument + i);
      append(argument + i, kept, capacity, counters);
    }
  finished(&e, item, 1, ticket);
  testify(&e, counters);
}
