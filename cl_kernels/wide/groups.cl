// The wide test: kernels that search an interval group by group (lines.clh), and those that take up what is left.
//
// Expects what vector32.clh, lines.clh, compaction.clh and items.clh expect and
//   TMD_SORTED           0 or 1: whether a work-group sorts its groups; for a vector width of 1
//   TMD_WORK_GROUP_SIZE  then: work-items in a work-group at most
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "../common/vector32.clh"
#include "lines.clh"
#include "polynomial.clh"
#include "../common/compaction.clh"
#include "../common/items.clh"
#include "../common/append.clh"
#include "../common/evidence.clh"

#ifndef TMD_SORTED
#error "TMD_SORTED is missing: 0 to 1"
#elif TMD_SORTED < 0 || TMD_SORTED > 1 || (TMD_SORTED == 1 && TMD_VECTOR_WIDTH > 1)
#error "TMD_SORTED is out of range: 0 to 1"
#endif

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
  evidence *seen;
#if TMD_HELD > 0
  u32 count;
  u64 held[TMD_HELD];
#endif
} candidate_list;

void keep(candidate_list *to, u64 argument) {
  to->seen->kept[0] += entry_sum(argument);
#if TMD_HELD > 0
  if (to->count < TMD_HELD) {
    to->held[to->count++] = argument;
    return;
  }
#endif
  append_while_few(argument, to->list, to->capacity, to->counter);
}

// The arguments of the lanes whose bit is set; `centre`: of the first lane's group.
void keep_arguments(candidate_list *to, u32 lanes, vi32 arguments, u64 centre, u32 group_bits) {
#if TMD_VECTOR_WIDTH == 1
  i32 each[1] = {arguments};
#else
  i32 each[TMD_VECTOR_WIDTH];
  TMD_STORE(arguments, 0, each);
#endif
  i32 half_width = (i32)1 << (group_bits - 1);
  for (; lanes != 0; lanes &= lanes - 1) {
    u32 lane = LOWEST_BIT(lanes);
    if (each[lane] >= -half_width && each[lane] < half_width)
      keep(to, centre + ((u64)lane << group_bits) + (u64)(i64)each[lane]);
  }
}

// The lines of the lanes' groups, the first of which is `group`.
// error, curvature, denominator_limit, most_lines: wide_bounds.
wide_lines begin_groups(global const u32 *polynomials, u32 group, u32 sub_bits, u32 group_bits, float per_sub_interval,
                        wide_bounds bounds) {
  u64 centre = ((u64)group << group_bits) + (1u << (group_bits - 1));
  global const u32 *polynomial = polynomials + (centre >> sub_bits) * TMD_RECORD_LIMBS;
  vu64 t = (centre & (((u64)1 << sub_bits) - 1)) + (lane_numbers() << group_bits);
  vu32 record[TMD_RECORD_FLOATS];
  load_record(record, polynomials, centre, sub_bits);
  vu64 c1;
  vu64 c0 = value_and_slope_at(record, t, &c1);
  vfloat c2M2 = curvature_at(
      (vfloat)(as_float(polynomial[TMD_RECORD_FLOATS])), (vfloat)(as_float(polynomial[TMD_RECORD_FLOATS + 1])),
      (vfloat)(as_float(polynomial[TMD_RECORD_FLOATS + 2])), TO_FLOATS(TO_U32(t)) * per_sub_interval);
  return lines_of(c0, c1, c2M2, bounds);
}

// Walks over all lines of the first `lanes` groups from `group` on. Returns those that the test refuses.
vflags32 walk_lines(wide_lines l, u32 lanes, u32 group, u32 group_bits, candidate_list *kept) {
  float m = (float)(1u << (group_bits - 1));
  u64 centre = ((u64)group << group_bits) + (1u << (group_bits - 1));
#if TMD_VECTOR_WIDTH == 1
  int refused = l.refused;
  while (has_lines(&l)) {
    wide_roots roots = roots_of(&l);
    if (is_crowded(&l, roots.root)) {
      refused = 1;
      break;
    }
    float number = number_near(&l, m, roots.right);
    if (is_near(&l, m, roots.right, roots.root, number))
      keep_arguments(kept, 1, argument_of(&l, m, number), centre, group_bits);
    if (has_left(&l)) {
      number = number_near(&l, m, roots.left);
      if (is_near(&l, m, roots.left, roots.root, number))
        keep_arguments(kept, 1, argument_of(&l, m, number), centre, group_bits);
    }
    next_line(&l);
  }
#else
  vflags32 counts = TO_U32(lane_numbers()) < (vu32)(lanes);
  vflags32 open = has_lines(&l) & counts;
  vflags32 refused = l.refused & counts;
  while (ANY32(open)) {
    wide_roots roots = roots_of(&l);
    vfloat number = number_near(&l, m, roots.right);
    vflags32 near = open & is_near(&l, m, roots.right, roots.root, number);
    if (ANY32(near))
      keep_arguments(kept, lane_bits(near), argument_of(&l, m, number), centre, group_bits);
    vflags32 left = open & has_left(&l);
    if (ANY32(left)) {
      number = number_near(&l, m, roots.left);
      near = left & is_near(&l, m, roots.left, roots.root, number);
      if (ANY32(near))
        keep_arguments(kept, lane_bits(near), argument_of(&l, m, number), centre, group_bits);
    }
    vflags32 crowded = open & is_crowded(&l, roots.root);
    refused = refused | crowded;
    next_line(&l);
    open = open & has_lines(&l) & (!crowded);
  }
#endif
  return refused;
}

void refuse(vflags32 flags, u32 group, global u32 *refused, u32 capacity, global u32 *counter, evidence *e) {
  if (ANY32(flags))
    for (u32 lanes = lane_bits(flags); lanes != 0; lanes &= lanes - 1) {
      u32 slot = atomic_inc(counter);
      u32 one = group + LOWEST_BIT(lanes);
      e->kept[1] += one;
      if (slot < capacity)
        refused[slot] = one;
    }
}

#if TMD_SORTED
// A work-group's groups, by how many lines they have, so that neighbours walk equally long: each work-item takes one
// from the short end and one from the long.
#define TMD_SLOTS (2 * TMD_WORK_GROUP_SIZE)

void store_lines(local float *at, wide_lines l) {
  at[0 * TMD_SLOTS] = l.line;
  at[1 * TMD_SLOTS] = l.last;
  at[2 * TMD_SLOTS] = l.last_left;
  at[3 * TMD_SLOTS] = l.fraction;
  at[4 * TMD_SLOTS] = l.slope;
  at[5 * TMD_SLOTS] = l.bend;
  at[6 * TMD_SLOTS] = l.residue;
  at[7 * TMD_SLOTS] = l.residue_step;
  at[8 * TMD_SLOTS] = l.denominator;
  at[9 * TMD_SLOTS] = l.per_denominator;
  at[10 * TMD_SLOTS] = l.reach;
  at[11 * TMD_SLOTS] = l.twice_g;
  at[12 * TMD_SLOTS] = l.least_root;
  at[13 * TMD_SLOTS] = l.side;
  at[14 * TMD_SLOTS] = l.refused ? 1.0f : 0.0f;
}

wide_lines load_lines(local const float *at) {
  wide_lines l;
  l.line = at[0 * TMD_SLOTS];
  l.last = at[1 * TMD_SLOTS];
  l.last_left = at[2 * TMD_SLOTS];
  l.fraction = at[3 * TMD_SLOTS];
  l.slope = at[4 * TMD_SLOTS];
  l.bend = at[5 * TMD_SLOTS];
  l.residue = at[6 * TMD_SLOTS];
  l.residue_step = at[7 * TMD_SLOTS];
  l.denominator = at[8 * TMD_SLOTS];
  l.per_denominator = at[9 * TMD_SLOTS];
  l.reach = at[10 * TMD_SLOTS];
  l.twice_g = at[11 * TMD_SLOTS];
  l.least_root = at[12 * TMD_SLOTS];
  l.side = at[13 * TMD_SLOTS];
  l.refused = at[14 * TMD_SLOTS] != 0.0f;
  return l;
}
#endif

// Tests the groups first … first + count − 1 of 2^group_bits arguments. polynomials: records of sub-intervals of
// 2^sub_bits arguments, 16 groups or more; per_sub_interval: 2^−sub_bits. error, curvature, denominator_limit,
// most_lines: wide_bounds. candidates: arguments, in number counters[0]; refused: groups that the test cannot treat,
// counters[1]; each list holds `capacity`. ticket: evidence.clh.
TMD_KERNEL void wide_groups(global const uint *restrict polynomials, uint first, uint count, uint sub_bits,
                            uint group_bits, float error, float curvature, float denominator_limit, float most_lines,
                            float per_sub_interval, global ulong *restrict candidates, global uint *restrict refused,
                            uint capacity, uint ticket, global uint *restrict counters) {
  TMD_COMPACTION_STORAGE
  evidence e = no_evidence();
  candidate_list kept;
  kept.list = candidates;
  kept.capacity = capacity;
  kept.counter = counters;
  kept.seen = &e;
#if TMD_HELD > 0
  kept.count = 0;
#endif
  wide_bounds bounds;
  bounds.half_width = (float)(1u << (group_bits - 1));
  bounds.error = error;
  bounds.curvature = curvature;
  bounds.denominator_limit = denominator_limit;
  bounds.most_lines = most_lines;
#if TMD_SORTED
  local float store[TMD_SORTED_FIELDS * TMD_SLOTS];
  local u32 order[TMD_SLOTS];
  local u32 lengths[TMD_SORTED_LENGTHS];
  u32 id = (u32)get_local_id(0);
  u32 size = (u32)get_local_size(0);
  // Lengths are told apart up to 2.5 times the lines that are expected, (most_lines - 64)/8.
  float per_length = fmin(1.0f, 3.2f * TMD_SORTED_LENGTHS / fmax(most_lines - 64.0f, 1.0f));
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 block = ((u32)get_group_id(0) + step * (u32)get_num_groups(0)) * 2 * size;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 i = id; i < TMD_SORTED_LENGTHS; i += size)
      lengths[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 length[2];
    u32 rank[2];
    TMD_UNROLL
    for (u32 h = 0; h < 2; ++h) {
      u32 position = block + h * size + id;
      length[h] = 0;
      if (position < count) {
        wide_lines l = begin_groups(polynomials, first + position, sub_bits, group_bits, per_sub_interval, bounds);
        length[h] = (u32)(fmax(l.last - l.line + 1.0f, 0.0f) * per_length);
        length[h] = min(length[h], (u32)(TMD_SORTED_LENGTHS - 1));
        store_lines(store + h * size + id, l);
      }
      rank[h] = atomic_inc(lengths + length[h]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TMD_UNROLL
    for (u32 h = 0; h < 2; ++h) {
      u32 place = rank[h];
      for (u32 i = 0; i < length[h]; ++i)
        place += lengths[i];
      order[place] = h * size + id;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 h = 0; h < 2; ++h) {
      u32 slot = order[h == 0 ? id : 2 * size - 1 - id];
      if (block + slot < count) {
        u32 group = first + block + slot;
        wide_lines l = load_lines(store + slot);
        refuse(walk_lines(l, 1, group, group_bits, &kept), group, refused, capacity, counters + 1, &e);
        finished(&e, block + slot, 1, ticket);
      }
    }
  }
#else
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = (item + step * stride) * TMD_VECTOR_WIDTH;
    if (position >= count)
      break;
    u32 group = first + position;
    wide_lines l = begin_groups(polynomials, group, sub_bits, group_bits, per_sub_interval, bounds);
    refuse(walk_lines(l, count - position, group, group_bits, &kept), group, refused, capacity, counters + 1, &e);
    finished(&e, position, min(count - position, (u32)TMD_VECTOR_WIDTH), ticket);
  }
#endif
#if TMD_HELD > 0
  u32 slot = reserve(kept.count, counters TMD_COMPACTION_ARGUMENT);
  for (u32 i = 0; i < kept.count; ++i, ++slot)
    if (slot < capacity)
      candidates[slot] = kept.held[i];
#endif
  testify(&e, counters);
}
