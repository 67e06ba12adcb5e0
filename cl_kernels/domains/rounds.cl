// Rounds of the existence test's main loop, for divergence statistics (seed 004 section 3).
//
// Expects what existence.clh expects.
#define TMD_COUNT_ROUNDS
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "existence.clh"

// rounds[i]: rounds of the phase-1 test of domain i, for i < count.
kernel void rounds(global const ulong *restrict lines, global const ulong *restrict slopes, uint count,
                   ulong domain_size, ulong offset, global uint *restrict rounds_of) {
  u32 domain = (u32)get_global_id(0);
  if (domain >= count)
    return;
  u32 rounds_done = 0;
  (void)may_exist(-slopes[domain], lines[domain] + offset, 2 * offset, domain_size, &rounds_done);
  rounds_of[domain] = rounds_done;
}
