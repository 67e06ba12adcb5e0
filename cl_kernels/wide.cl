// The wide test: kernels that search an interval group by group (wide_lines.clh), and those that take up what it leaves.
//
// Expects what vector32.clh, wide_lines.clh, wide_shift.clh, compaction.clh and items.clh expect.
#include "portable.clh"
#include "vector.clh"
#include "vector32.clh"
#include "wide_lines.clh"
#include "wide_polynomial.clh"
#include "compaction.clh"
#include "items.clh"
#include "append.clh"

// Candidates that a work-item holds until the work-group makes room for them all.
#if TMD_COMPACTION == TMD_COMPACTION_ATOMIC
#define TMD_HELD 0
#else
#define TMD_HELD 4
#endif

// Where candidates go.
typedef struct {
  global u64 *list;
  u32 capacity;
  global u32 *counter;
#if TMD_HELD > 0
  u32 count;
  u64 held[TMD_HELD];
#endif
} candidate_list;

void keep(candidate_list *to, u64 argument) {
#if TMD_HELD > 0
  if (to->count < TMD_HELD) {
    to->held[to->count++] = argument;
    return;
  }
#endif
  append_while_few(argument, to->list, to->capacity, to->counter);
}

// The members of the lanes whose bit is set; `centre`: of the first lane's group.
void keep_members(candidate_list *to, u32 lanes, vfloat members, u64 centre, u32 group_bits) {
#if TMD_VECTOR_WIDTH == 1
  float each[1] = {members};
#else
  float each[TMD_VECTOR_WIDTH];
  TMD_STORE(members, 0, each);
#endif
  i32 half_width = (i32)1 << (group_bits - 1);
  for (; lanes != 0; lanes &= lanes - 1) {
    u32 lane = LOWEST_BIT(lanes);
    i32 member = (i32)each[lane];
    if (member >= -half_width && member < half_width)
      keep(to, centre + ((u64)lane << group_bits) + (u64)(i64)member);
  }
}

void load_record(vu32 *record, global const u32 *from) {
  TMD_UNROLL
  for (int i = 0; i < TMD_RECORD_FLOATS; ++i)
    record[i] = (vu32)(from[i]);
}

// Tests the groups first … first + count − 1 of 2^group_bits arguments. polynomials: records of sub-intervals of 2^sub_bits
// arguments, 16 groups or more. error, curvature, denominator_limit, most_lines: wide_bounds. candidates: arguments, in
// number counters[0]; refused: groups that the test cannot treat, counters[1]; each list holds `capacity`.
TMD_KERNEL void wide_groups(global const uint *restrict polynomials, uint first, uint count, uint sub_bits, uint group_bits,
                        float error, float curvature, float denominator_limit, float most_lines,
                        global ulong *restrict candidates, global uint *restrict refused, uint capacity,
                        global uint *restrict counters) {
  TMD_COMPACTION_STORAGE
  candidate_list kept;
  kept.list = candidates;
  kept.capacity = capacity;
  kept.counter = counters;
#if TMD_HELD > 0
  kept.count = 0;
#endif
  wide_bounds bounds;
  bounds.half_width = (float)(1u << (group_bits - 1));
  bounds.error = error;
  bounds.curvature = curvature;
  bounds.denominator_limit = denominator_limit;
  bounds.most_lines = most_lines;
  float m = bounds.half_width;
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = (item + step * stride) * TMD_VECTOR_WIDTH;
    if (position >= count)
      break;
    u32 group = first + position;
    u64 centre = ((u64)group << group_bits) + (1u << (group_bits - 1));
    u64 sub_interval = centre >> sub_bits;
    global const u32 *polynomial = polynomials + sub_interval * TMD_RECORD_LIMBS;
    vu64 t = (centre & (((u64)1 << sub_bits) - 1)) + (lane_numbers() << group_bits);
    vu32 record[TMD_RECORD_FLOATS];
    load_record(record, polynomial);
    vu64 c1;
    vu64 c0 = value_and_slope_at(record, t, &c1);
    vfloat part = TO_FLOATS(t) * ldexp(1.0f, -(int)sub_bits);
    vfloat c2M2 = curvature_at((vfloat)(as_float(polynomial[TMD_RECORD_FLOATS])),
                               (vfloat)(as_float(polynomial[TMD_RECORD_FLOATS + 1])),
                               (vfloat)(as_float(polynomial[TMD_RECORD_FLOATS + 2])), part);
    wide_lines l = lines_of(c0, c1, c2M2, bounds);
    vflags32 open = has_lines(&l);
#if TMD_VECTOR_WIDTH > 1
    vflags32 in_count = TO_U32(lane_numbers()) < (vu32)(count - position);
    open = open & in_count;
    l.refused = l.refused & in_count;
#endif
    while (ANY32(open)) {
      wide_roots roots = roots_of(&l);
      vfloat member = member_near(&l, m, roots.right);
      vflags32 near = open & is_near(&l, m, roots.right, roots.root, member);
      if (ANY32(near))
        keep_members(&kept, lane_bits(near), l.side * member, centre, group_bits);
      vflags32 left = open & has_left(&l);
      if (ANY32(left)) {
        member = member_near(&l, m, roots.left);
        near = left & is_near(&l, m, roots.left, roots.root, member);
        if (ANY32(near))
          keep_members(&kept, lane_bits(near), l.side * member, centre, group_bits);
      }
      vflags32 crowded = open & is_crowded(&l, roots.root);
      l.refused = l.refused | crowded;
      next_line(&l);
      open = open & has_lines(&l) & (!crowded);
    }
    if (ANY32(l.refused))
      for (u32 lanes = lane_bits(l.refused); lanes != 0; lanes &= lanes - 1) {
        u32 slot = atomic_inc(counters + 1);
        if (slot < capacity)
          refused[slot] = group + LOWEST_BIT(lanes);
      }
  }
#if TMD_HELD > 0
  u32 slot = reserve(kept.count, counters TMD_COMPACTION_ARGUMENT);
  for (u32 i = 0; i < kept.count; ++i, ++slot)
    if (slot < capacity)
      candidates[slot] = kept.held[i];
#endif
}
