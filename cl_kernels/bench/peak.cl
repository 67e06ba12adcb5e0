// As many float operations as a device can do in a second: fused multiply-adds that need not wait for each other.
//
// Expects what vector32.clh expects.
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "../common/vector32.clh"
#include "../common/evidence.clh"

#define TMD_PEAK_CHAINS 10 // a few more than the stages of a core's multipliers, and no more than its registers hold

// Σ over `rounds` rounds of TMD_PEAK_CHAINS fmas in every lane. made: one number for each work-item.
TMD_KERNEL void peak(float factor, float term, uint rounds, global float *restrict made, launch_slice slice,
                     global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= slice.count)
    return;
  vfloat x[TMD_PEAK_CHAINS];
  TMD_UNROLL
  for (int k = 0; k < TMD_PEAK_CHAINS; ++k)
    x[k] = (vfloat)((float)(item + (u32)k));
  for (u32 round = 0; round < rounds; ++round) {
    TMD_UNROLL
    for (int k = 0; k < TMD_PEAK_CHAINS; ++k)
      x[k] = fma(x[k], (vfloat)(factor), (vfloat)(term));
  }
  vfloat all = x[0];
  TMD_UNROLL
  for (int k = 1; k < TMD_PEAK_CHAINS; ++k)
    all = all + x[k];
#if TMD_VECTOR_WIDTH == 1
  made[item] = all;
#else
  float each[TMD_VECTOR_WIDTH];
  TMD_STORE(all, 0, each);
  float together = 0.0f;
  for (u32 lane = 0; lane < TMD_VECTOR_WIDTH; ++lane)
    together += each[lane];
  made[item] = together;
#endif
  evidence e = no_evidence();
  finished(&e, item, 1, slice.ticket);
  testify(&e, counters);
}
