// The phase walk's windows as far as one of their steps, for `tmd-lab phase`: what a step takes is what they take
// longer than as far as the one before.
//
// Expects TMD_M_WORDS, TMD_TARGETS and TMD_VECTORIZER, as phase/walk.cl does, and
//   TMD_PHASE_STEP  how far: 1 segments' begin and what changes from a window to the next, 2 vectors made short,
//                   3 their basis, 4 points moved near and what lines need
#include "../common/portable.clh"
#include "../common/evidence.clh"
#include "../phase/fixed_point.clh"
#include "../phase/layout.clh"
#define TMD_UNIT_BITS 50
#include "../phase/lattice.clh"
#define FOUND u32
void found(u32 *sink, int target, i64 m) { (void)sink, (void)target, (void)m; }
#include "../phase/walk.clh"

#ifndef TMD_PHASE_STEP
#error "TMD_PHASE_STEP is missing: 1 to 4"
#elif TMD_PHASE_STEP < 1 || TMD_PHASE_STEP > 4
#error "TMD_PHASE_STEP is out of range: 1 to 4"
#endif

// A number that depends on all steps of a segment, so that no compiler leaves one out; walk_segment up to the chosen
// step.
u32 steps_of(global const phase_parameters *p, global const u64 *group, u32 first, u32 count, point v[3],
             point near[TMD_MOST_TARGETS]) {
  const scales s = scales_of(p, TMD_UNIT_BITS);
  growth g = growth_of(p, group, first);
  const i64 width = wide_slice(wide_of(p->width), p->y_exponent + TMD_UNIT_BITS - 64);
  const float coefficient = coefficient_of(p);
  u32 made = (u32)begin_segment(p, group, first, v, near, s, parabola_of(&g, coefficient, 0).middle);
  TMD_ROLLED
  for (u32 j = 0; j < count; ++j) {
#if TMD_PHASE_STEP >= 3
    basis b;
    made += (u32)make_basis(v, &b, s, p->determinant, TMD_MOST_Y, TMD_MOST_Z) ^ as_uint(b.dual_sum);
#endif
    const parabola body = parabola_of(&g, coefficient, p->thickness);
#if TMD_PHASE_STEP >= 4
    const lines l = lines_of(&b, &body);
    made ^= as_uint(l.mu) ^ as_uint(l.low1 + l.high1) ^ as_uint(l.low2 + l.high2) ^ as_uint(l.square) ^
            as_uint(l.inverse) ^ as_uint(l.bend);
    made += (u32)move_near(p, near, v, &b, s, body.middle);
#else
    made ^= as_uint(body.f2 + body.f3);
#endif
    TMD_UNROLL
    for (int i = 0; i < 3; ++i)
      v[i].z = sheared(v[i].z, g.c, v[i].y);
    TMD_UNROLL
    for (int i = 0; i < TMD_TARGETS; ++i) {
      near[i].y -= width;
      near[i].z = sheared(near[i].z + g.k, g.c, near[i].y);
    }
    advance(&g);
#if TMD_PHASE_STEP >= 2
    made += (u32)shorten(v, s, p->determinant);
#endif
  }
  TMD_UNROLL
  for (int i = 0; i < 3 + TMD_TARGETS; ++i) {
    const point q = i < 3 ? v[i] : near[i - 3];
    made ^= (u32)q.m ^ (u32)q.y ^ (u32)q.z;
  }
  return made;
}

// Takes a slice of chunks, all with the same number of windows, from their starts, segment by segment. made: one number
// for each chunk.
TMD_PHASE_KERNEL void phase_steps(global const phase_parameters *restrict parameters,
                                  global const ulong *restrict tables, global const ulong *restrict starts,
                                  global uint *restrict made, launch_slice slice, global uint *restrict counters) {
  u32 item = (u32)get_global_id(0);
  if (item >= slice.count)
    return;
  evidence e = no_evidence();
  u32 chunk = (u32)slice.first + item;
  u32 chunk_bits = parameters->chunk_bits;
  u32 chunks_bits = parameters->group_bits - chunk_bits; // chunks of a group
  point v[3];
  point near[TMD_MOST_TARGETS];
  u32 sum = load_start(parameters, starts + (ulong)chunk * TMD_START_WORDS, v, near, TMD_UNIT_BITS - TMD_ROBUST_BITS);
  u32 from = (chunk & ((1u << chunks_bits) - 1)) << chunk_bits;
  for (u32 done = 0; done < 1u << chunk_bits; done += 1u << parameters->segment_bits)
    sum += steps_of(parameters, tables + (ulong)(chunk >> chunks_bits) * TMD_TABLE_WORDS(parameters->degree),
                    from + done, 1u << parameters->segment_bits, v, near);
  made[chunk] = sum;
  finished(&e, item, 1, slice.ticket);
  testify(&e, counters);
}
