// The wide test's groups as far as one of their steps, for `tmd-lab wide`: what a step takes is what they take longer
// than as far as the one before.
//
// Expects what wide/groups.cl expects, TMD_SORTED of 0, and
//   TMD_WIDE_STEP  how far: 1 coefficients, 2 fraction, 3 set-up of the lines and their filter, 4 lines in the filter
#include "../wide/groups.cl"

#ifndef TMD_WIDE_STEP
#error "TMD_WIDE_STEP is missing: 1 to 4"
#elif TMD_WIDE_STEP < 1 || TMD_WIDE_STEP > 4
#error "TMD_WIDE_STEP is out of range: 1 to 4"
#endif

PURE vu32 halves_of(vu64 x) { return TO_U32(x) ^ TO_U32(x >> 32); }

// A number that depends on all of the step's results, so that no compiler leaves one out.
vu32 step_of(wide_parabola p, wide_bounds bounds) {
#if TMD_WIDE_STEP == 1
  return halves_of(p.c0) ^ halves_of(p.c1) ^ AS_BITS(p.c2M2);
#elif TMD_WIDE_STEP == 2
  wide_fraction f = fraction_of(p.c1, p.c2M2, bounds.half_width, bounds.denominator_limit);
  return halves_of(p.c0) ^ AS_BITS(f.denominator) ^ AS_BITS(f.remainder) ^ AS_BITS(f.inverse);
#else
  wide_lines l = lines_of(p.c0, p.c1, p.c2M2, bounds);
  line_filter f = filter_of(&l, bounds.half_width);
  vfloat lines = l.last - l.line;
  vfloat left = l.last_left - l.line;
  vu32 made = halves_of(p.c0) ^ AS_BITS(l.reach) ^ AS_BITS(l.least_root) ^ AS_BITS(l.residue) ^ AS_U32(f.usable) ^
              AS_U32(l.refused);
#if TMD_WIDE_STEP == 3
  return made ^ AS_BITS(lines) ^ AS_BITS(left) ^ AS_BITS(f.square) ^ AS_BITS(f.square_step) ^ AS_BITS(f.magic) ^
         f.shift ^ f.apex ^ f.apex_step ^ AS_BITS(f.per_root) ^ AS_BITS(f.slack);
#else
  float most = greatest_lane(lines);
  float most_left = greatest_lane(left);
  vu32 apex = f.apex + f.apex_step;
  vflags32 flagged = f.usable;
  for (float number = 1.0f; number <= most; number += TMD_FILTERED_LINES, apex += TMD_FILTERED_LINES * f.apex_step)
    flagged = flagged ^ (((vfloat)(number) <= lines) & may_hit(&f, (vfloat)(number), apex, number <= most_left));
  return made ^ AS_U32(flagged);
#endif
#endif
}

// Takes the groups of a batch as wide_groups does, up to TMD_WIDE_STEP. made: the step's result, one number for each
// work-item.
TMD_KERNEL void wide_steps(global const uint *restrict polynomials, global uint *restrict made,
                           wide_parameters parameters, launch_slice slice, global uint *restrict counters) {
  u32 count = slice.count;
  group_source source = {polynomials, parameters.sub_bits, parameters.group_bits, parameters.bounds};
  evidence e = no_evidence();
  vu32 all = (vu32)(0);
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = (item + step * stride) * TMD_VECTOR_WIDTH;
    if (position >= count)
      break;
    all = all ^ step_of(parabola_of(position, &source, parameters.per_sub_interval), source.bounds);
    finished(&e, position, min(count - position, (u32)TMD_VECTOR_WIDTH), slice.ticket);
  }
  u32 each[TMD_VECTOR_WIDTH];
  TMD_STORE_LANES(all, each);
  u32 together = 0;
  for (u32 lane = 0; lane < TMD_VECTOR_WIDTH; ++lane)
    together ^= each[lane];
  made[item] = together;
  testify(&e, counters);
}
