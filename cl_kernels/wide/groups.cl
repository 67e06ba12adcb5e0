// The wide test: kernels that search an interval group by group (lines.clh), and those that take up what is left.
//
// Expects what vector32.clh, lines.clh, compaction.clh and items.clh expect and
//   TMD_SORTED           0 or 1: whether a work-group sorts its groups; for a vector width of 1
//   TMD_WORK_GROUP_SIZE  then: work-items in a work-group at most
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "../common/vector32.clh"
#include "filter.clh"
#include "crowded.clh"
#include "parabola.clh"
#include "../common/compaction.clh"
#include "../common/items.clh"

#ifndef TMD_SORTED
#error "TMD_SORTED is missing: 0 to 1"
#elif TMD_SORTED < 0 || TMD_SORTED > 1 || (TMD_SORTED == 1 && TMD_VECTOR_WIDTH > 1)
#error "TMD_SORTED is out of range: 0 to 1"
#endif

// Candidates are held by a work-item; if groups are sorted, by the work-group.
#if !TMD_SORTED
#if TMD_COMPACTION != TMD_COMPACTION_ATOMIC
#define TMD_HELD 4
#elif TMD_VECTOR_WIDTH > 1
#define TMD_HELD (8 * TMD_VECTOR_WIDTH)
#else
#define TMD_HELD 0
#endif
#endif
#include "../common/append.clh"
#include "../common/evidence.clh"
#include "../common/shared_list.clh"

#if TMD_SORTED
#define TMD_SLOTS (2 * TMD_WORK_GROUP_SIZE) // groups that a work-group has at a time
#define TMD_MOST_HELD TMD_SLOTS             // candidates that it holds until it reserves places for them all
#define TMD_MOST_FLAGGED TMD_SLOTS          // runs of lines that wait to be walked
#define TMD_MOST_SHARED_LINES 128.0f        // lines of an unfiltered group, for the whole work-group
#endif

// The list of candidates.
#if TMD_SORTED
typedef shared_list candidate_list;
#else
typedef struct {
  global u64 *list;
  u32 capacity;
  global u32 *counter;
  u32 *sum;
  held_entries held;
} candidate_list;
#endif

void keep(candidate_list *to, u64 argument) {
#if TMD_SORTED
  keep_together(argument, to);
#else
  *to->sum += entry_sum(argument);
  hold(argument, &to->held, to->list, to->capacity, to->counter);
#endif
}

u64 middle_of(u32 group, u32 group_bits) { return ((u64)group << group_bits) + (1u << (group_bits - 1)); }

#if TMD_VECTOR_WIDTH == 1
#define TMD_STORE_LANES(lanes, array) ((array)[0] = (lanes))
#else
#define TMD_STORE_LANES(lanes, array) TMD_STORE(lanes, 0, array)
#endif

// Keeps the arguments of the lanes whose bit is set.
void keep_arguments(candidate_list *to, u32 lanes, vi32 arguments, vu32 groups, u32 group_bits) {
  i32 each[TMD_VECTOR_WIDTH];
  u32 group[TMD_VECTOR_WIDTH];
  TMD_STORE_LANES(arguments, each);
  TMD_STORE_LANES(groups, group);
  i32 half_width = (i32)1 << (group_bits - 1);
  for (; lanes != 0; lanes &= lanes - 1) {
    u32 lane = LOWEST_BIT(lanes);
    if (each[lane] >= -half_width && each[lane] < half_width)
      keep(to, middle_of(group[lane], group_bits) + (u64)(i64)each[lane]);
  }
}

// The source of a launch's groups, and bounds that hold for all of them.
typedef struct {
  global const u32 *polynomials;
  u32 sub_bits;
  u32 group_bits;
  wide_bounds bounds;
} group_source;

// The parabolas around the middles of the lanes' groups, the first of them `group`.
TMD_INLINE wide_parabola parabola_of(u32 group, const group_source *from, float per_sub_interval) {
  return parabola_around(middle_of(group, from->group_bits), from->group_bits, from->polynomials, from->sub_bits,
                         per_sub_interval);
}

// Checks that the record of a group's sub-interval is still the one that was made: of the groups that a work-group has
// in one sub-interval, the first does it. place: the group's among those.
void check_record(u32 group, u32 place, const group_source *from, evidence *e) {
  if (place == 0 || group << (32 - (from->sub_bits - from->group_bits)) == 0)
    e->marks += is_overwritten(from->polynomials, middle_of(group, from->group_bits), from->sub_bits);
}

// The list of group parts that are to be searched by themselves (parts.cl), by their numbers among all.
typedef struct {
  global u64 *list;
  u32 capacity;
  global u32 *counter;
  u32 *sum;
  u32 part_bits; // log2 of a group's parts
} part_list;

#define TMD_TAKEN_TOGETHER 8 // places taken at once; with more, a counter could wrap around

// Lists `count` parts from `part` on.
void put_off(part_list *to, u64 part, u32 count) {
  while (count > 0) {
    u32 taken = min(count, (u32)TMD_TAKEN_TOGETHER);
    u32 slot = take_places(taken, to->capacity, to->counter);
    count -= taken;
    for (; taken > 0; --taken, ++slot, ++part) {
      *to->sum += entry_sum(part);
      if (slot < to->capacity)
        to->list[slot] = part;
    }
  }
}

// Lists all parts of the groups whose flag is set, which the test refuses.
void put_off_groups(part_list *to, vflags32 flags, vu32 groups) {
  if (!ANY32(flags))
    return;
  u32 group[TMD_VECTOR_WIDTH];
  TMD_STORE_LANES(groups, group);
  for (u32 lanes = lane_bits(flags); lanes != 0; lanes &= lanes - 1)
    put_off(to, (u64)group[LOWEST_BIT(lanes)] << to->part_bits, 1u << to->part_bits);
}

// For the groups whose flag is set, lists the parts in which the line's class may have members that count near a root.
void put_off_parts(part_list *to, const wide_lines *l, float m, vfloat y, vfloat root, vflags32 flags, vu32 groups) {
  i32 first[TMD_VECTOR_WIDTH];
  i32 last[TMD_VECTOR_WIDTH];
  u32 group[TMD_VECTOR_WIDTH];
  vi32 lasts;
  vi32 firsts = parts_near(l, m, ldexp(m, -(int)to->part_bits), y, root, &lasts);
  TMD_STORE_LANES(firsts, first);
  TMD_STORE_LANES(lasts, last);
  TMD_STORE_LANES(groups, group);
  for (u32 lanes = lane_bits(flags); lanes != 0; lanes &= lanes - 1) {
    u32 lane = LOWEST_BIT(lanes);
    if (first[lane] <= last[lane])
      put_off(to, ((u64)group[lane] << to->part_bits) + (u64)first[lane], (u32)(last[lane] - first[lane] + 1));
  }
}

// Whether the groups lie in one sub-interval.
int are_together(vu32 groups, u32 bits_of_groups) {
#if TMD_VECTOR_WIDTH == 1
  return 1;
#else
  u32 group[TMD_VECTOR_WIDTH];
  TMD_STORE_LANES(groups, group);
  return !ANY32((groups >> bits_of_groups) != (vu32)(group[0] >> bits_of_groups));
#endif
}

// For a root of a line whose class may have several members that count: keeps those that the chord determines; if it
// determines none, lists parts.
TMD_OUTLINE void keep_on_chords(const wide_lines *l, vfloat y, vfloat root, vflags32 flags, vu32 groups,
                                const group_source *from, candidate_list *kept, part_list *parts) {
  float m = from->bounds.half_width;
  wide_chord c = chord_of(l, m, y, root);
  vflags32 undecided = flags;
  if (ANY32(flags & c.usable) && are_together(groups, from->sub_bits - from->group_bits)) {
    u32 group[TMD_VECTOR_WIDTH];
    TMD_STORE_LANES(groups, group);
    vu32 record[TMD_RECORD_FLOATS];
    load_record(record, from->polynomials, middle_of(group[0], from->group_bits), from->sub_bits);
    vu32 t = ((groups << from->group_bits) + (1u << (from->group_bits - 1))) & (0xffffffffu >> (32 - from->sub_bits));
    vu32 at_first = t + AS_U32(c.first);
    vu32 at_last = at_first + AS_U32(c.steps * c.step);
    wide_members members = members_on(&c, l, m, from->bounds.error, from->bounds.curvature, value_at(record, at_first),
                                      value_at(record, at_last));
    vflags32 decided = flags & members.decided;
    undecided = flags & !decided;
    vi32 k = members.from;
    for (vflags32 open = decided & (k <= members.to); ANY32(open); open = decided & (k <= members.to)) {
      keep_arguments(kept, lane_bits(open), c.first + k * c.step, groups, from->group_bits);
      k += 1;
    }
  }
  if (ANY32(undecided))
    put_off_parts(parts, l, m, y, root, undecided, groups);
}

// Does so for both roots. has_chords: otherwise parts are listed at once, for chords take registers, which GPUs lack.
TMD_INLINE void walk_crowded(wide_lines l, wide_roots roots, vflags32 right, vflags32 left, vu32 groups, int has_chords,
                             const group_source *from, candidate_list *kept, part_list *parts) {
  TMD_ROLLED
  for (int side = 0; side < 2; ++side) {
    vflags32 flags = side == 0 ? right : left;
    vfloat y = side == 0 ? roots.right : roots.left;
    if (!ANY32(flags))
      continue;
    if (has_chords)
      keep_on_chords(&l, y, roots.root, flags, groups, from, kept, parts);
    else
      put_off_parts(parts, &l, from->bounds.half_width, y, roots.root, flags, groups);
  }
}

#if TMD_VECTOR_WIDTH == 1
// Keeps the members nearest to a line's roots if they may count.
TMD_INLINE void walk_line(const wide_lines *l, wide_roots roots, u32 group, const group_source *from,
                          candidate_list *kept) {
  float m = from->bounds.half_width;
  float number = number_near(l, m, roots.right);
  if (is_near(l, m, roots.right, roots.root, number))
    keep_arguments(kept, 1, argument_of(l, m, number), group, from->group_bits);
  if (has_left(l)) {
    number = number_near(l, m, roots.left);
    if (is_near(l, m, roots.left, roots.root, number))
      keep_arguments(kept, 1, argument_of(l, m, number), group, from->group_bits);
  }
}
#endif

// Walks over all lines of the groups whose flag is set.
TMD_INLINE void walk_lines(wide_lines l, vflags32 counts, vu32 groups, int has_chords, const group_source *from,
                           candidate_list *kept, part_list *parts) {
#if TMD_VECTOR_WIDTH == 1
  for (; has_lines(&l); next_line(&l)) {
    wide_roots roots = roots_of(&l);
    if (is_crowded(&l, roots.root))
      walk_crowded(l, roots, 1, has_left(&l), groups, has_chords, from, kept, parts);
    else
      walk_line(&l, roots, groups, from, kept);
  }
#else
  float m = from->bounds.half_width;
  vflags32 open = has_lines(&l) & counts;
  while (ANY32(open)) {
    wide_roots roots = roots_of(&l);
    vflags32 left = open & has_left(&l);
    vflags32 crowded = open & is_crowded(&l, roots.root);
    if (ANY32(crowded)) {
      walk_crowded(l, roots, crowded, crowded & left, groups, has_chords, from, kept, parts);
      open = open & !crowded;
      left = left & !crowded;
    }
    vfloat number = number_near(&l, m, roots.right);
    vflags32 near = open & is_near(&l, m, roots.right, roots.root, number);
    if (ANY32(near))
      keep_arguments(kept, lane_bits(near), argument_of(&l, m, number), groups, from->group_bits);
    if (ANY32(left)) {
      number = number_near(&l, m, roots.left);
      near = left & is_near(&l, m, roots.left, roots.root, number);
      if (ANY32(near))
        keep_arguments(kept, lane_bits(near), argument_of(&l, m, number), groups, from->group_bits);
    }
    next_line(&l);
    open = has_lines(&l) & counts;
  }
#endif
}

// The storage of a group's lines among those of others: its first float, and the distance to the next one.
#if TMD_SORTED
#define TMD_STORED local float
#define TMD_STORED_APART TMD_SLOTS
#else
#define TMD_STORED float
#define TMD_STORED_APART TMD_VECTOR_WIDTH
#endif

#if TMD_VECTOR_WIDTH == 1
#define TMD_PUT(x, field) (at[(field)*TMD_STORED_APART] = (x))
#define TMD_GET(field) (at[(field)*TMD_STORED_APART])
#else
#define TMD_PUT(x, field) TMD_STORE(x, 0, at + (field)*TMD_STORED_APART)
#define TMD_GET(field) TMD_LOAD(0, at + (field)*TMD_STORED_APART)
#endif

TMD_INLINE void store_lines(TMD_STORED *at, const wide_lines *l) {
  TMD_PUT(l->line, 0);
  TMD_PUT(l->last, 1);
  TMD_PUT(l->last_left, 2);
  TMD_PUT(l->fraction, 3);
  TMD_PUT(l->slope, 4);
  TMD_PUT(l->bend, 5);
  TMD_PUT(l->residue, 6);
  TMD_PUT(l->residue_step, 7);
  TMD_PUT(l->denominator, 8);
  TMD_PUT(l->per_denominator, 9);
  TMD_PUT(l->reach, 10);
  TMD_PUT(l->twice_g, 11);
  TMD_PUT(l->least_root, 12);
  TMD_PUT(l->side, 13);
}

TMD_INLINE wide_lines load_lines(const TMD_STORED *at) {
  wide_lines l;
  l.line = TMD_GET(0);
  l.last = TMD_GET(1);
  l.last_left = TMD_GET(2);
  l.fraction = TMD_GET(3);
  l.slope = TMD_GET(4);
  l.bend = TMD_GET(5);
  l.residue = TMD_GET(6);
  l.residue_step = TMD_GET(7);
  l.denominator = TMD_GET(8);
  l.per_denominator = TMD_GET(9);
  l.reach = TMD_GET(10);
  l.twice_g = TMD_GET(11);
  l.least_root = TMD_GET(12);
  l.side = TMD_GET(13);
  l.refused = (vflags32)(0);
  return l;
}

// A group is finished when the filter has looked at its lines, but the lines that pass are walked later. So that a loop
// that is cut short is noticed, a waiting run is added to the marks of finished items, and subtracted when it has been
// walked: the host sees only the rest.
u32 waiting_mark(u32 entry) { return 2 * entry + 1; }

#if TMD_SORTED
// Lists a run of lines of the group in a slot. Returns whether there was room.
static int list_run(u32 slot, u32 number, local u32 *flagged, local u32 *flagged_count, evidence *e) {
  u32 place = atomic_inc(flagged_count);
  if (place >= TMD_MOST_FLAGGED)
    return 0;
  flagged[place] = slot | (number << 16);
  e->marks += TMD_FILTERED_LINES * waiting_mark(flagged[place]);
  return 1;
}

// Walks over the first line of the group in a slot, or over all if they are few, up to one whose class is crowded.
// Lists the runs of the others that pass the filter. Returns 0, or one more than the number of the first line that was
// neither walked nor listed.
static u32 list_runs(wide_lines l, float unfiltered_lines, u32 slot, u32 group, const group_source *from,
                     local u32 *flagged, local u32 *flagged_count, candidate_list *kept, evidence *e) {
  float lines = l.last - l.line;
  int filters = lines > unfiltered_lines;
  wide_lines part = l;
  if (filters)
    part.last = l.line;
  int crowded = 0;
  while (has_lines(&part)) {
    wide_roots roots = roots_of(&part);
    crowded = is_crowded(&part, roots.root);
    if (crowded)
      break;
    walk_line(&part, roots, group, from, kept);
    next_line(&part);
  }
  u32 unlisted = crowded ? (u32)(part.line - l.line) + 1 : 0;
  if (filters) { // no exit before the end, where neighbours meet again
    line_filter f = filter_of(&l, from->bounds.half_width);
    if (crowded && (!f.usable || !list_run(slot, 0, flagged, flagged_count, e)))
      return unlisted;
    unlisted = 0;
    if (!f.usable)
      f.slack = INFINITY; // all of them pass
    float left = l.last_left - l.line;
    u32 apex = f.apex + f.apex_step;
    float number = 1.0f;
    if (f.usable || lines <= TMD_MOST_SHARED_LINES)
      for (; number <= lines; number += TMD_FILTERED_LINES, apex += TMD_FILTERED_LINES * f.apex_step)
        if (may_hit(&f, number, apex, number <= left) && !list_run(slot, (u32)number, flagged, flagged_count, e))
          break;
    if (number <= lines)
      unlisted = (u32)number + 1;
  }
  return unlisted;
}
#else
// Runs of lines, each of one group, that wait until there is one for each lane.
typedef struct {
  u32 count;
  u32 marks; // sum of their waiting_mark()
  u32 groups[TMD_VECTOR_WIDTH];
  u32 numbers[TMD_VECTOR_WIDTH]; // numbers of the runs' first lines
  float lines[TMD_STORED_FIELDS * TMD_VECTOR_WIDTH];
} waiting_runs;

static void walk_runs(waiting_runs *waiting, const group_source *from, candidate_list *kept, part_list *parts,
                      evidence *e) {
  vflags32 counts = TO_U32(lane_numbers()) < (vu32)(waiting->count);
  for (u32 lane = waiting->count; lane < TMD_VECTOR_WIDTH; ++lane) { // unused lanes must have valid numbers, too
    for (u32 field = 0; field < TMD_STORED_FIELDS; ++field)
      waiting->lines[field * TMD_VECTOR_WIDTH + lane] = waiting->lines[field * TMD_VECTOR_WIDTH];
    waiting->groups[lane] = waiting->groups[0];
    waiting->numbers[lane] = waiting->numbers[0];
  }
  vu32 groups = LANES_OF(waiting->groups);
  wide_lines l = lines_from(load_lines(waiting->lines), LANES_OF(waiting->numbers), TMD_FILTERED_LINES);
  walk_lines(l, counts, groups, TMD_VECTOR_WIDTH > 2, from, kept, parts);
  e->marks -= waiting->marks;
  waiting->marks = 0;
  waiting->count = 0;
}

// Adds waiting runs: for each lane's group those whose bits are set. The lowest bit stands for the run that begins with
// line `first`.
TMD_INLINE void wait_for(vu32 runs, u32 first, const wide_lines *l, vu32 groups, const group_source *from,
                         waiting_runs *waiting, candidate_list *kept, part_list *parts, evidence *e) {
  if (!ANY32(runs != (vu32)(0)))
    return;
  float each[TMD_STORED_FIELDS * TMD_VECTOR_WIDTH];
  u32 group[TMD_VECTOR_WIDTH];
  u32 run[TMD_VECTOR_WIDTH];
  store_lines(each, l);
  TMD_STORE_LANES(groups, group);
  TMD_STORE_LANES(runs, run);
  for (u32 lanes = lane_bits(runs != (vu32)(0)); lanes != 0; lanes &= lanes - 1) {
    u32 lane = LOWEST_BIT(lanes);
    for (u32 bits = run[lane]; bits != 0; bits &= bits - 1) {
      for (u32 field = 0; field < TMD_STORED_FIELDS; ++field)
        waiting->lines[field * TMD_VECTOR_WIDTH + waiting->count] = each[field * TMD_VECTOR_WIDTH + lane];
      waiting->groups[waiting->count] = group[lane];
      waiting->numbers[waiting->count] = first + TMD_FILTERED_LINES * LOWEST_BIT(bits);
      u32 mark = waiting_mark(group[lane] ^ (waiting->numbers[waiting->count] << 16));
      waiting->marks += mark;
      e->marks += mark;
      if (++waiting->count == TMD_VECTOR_WIDTH)
        walk_runs(waiting, from, kept, parts, e);
    }
  }
}

// Walks over the lines of the groups whose flag is set, except runs that the filter stops; the last runs that pass are
// left waiting.
static void filter_lines(wide_lines l, vflags32 counts, vu32 groups, const group_source *from, waiting_runs *waiting,
                         candidate_list *kept, part_list *parts, evidence *e) {
  wide_lines first = l;
  first.last = fmin(l.last, l.line);
  walk_lines(first, counts, groups, 1, from, kept, parts);
  line_filter f = filter_of(&l, from->bounds.half_width);
  vfloat lines = SELECT32((vfloat)(-1.0f), l.last - l.line, counts);
  float most = greatest_lane(lines);
  float most_left = greatest_lane(SELECT32((vfloat)(-1.0f), l.last_left - l.line, counts));
  vu32 apex = f.apex + f.apex_step;
  vu32 runs = 0;
  u32 bit = 1;
  u32 first_line = 1;
  for (float number = 1.0f; number <= most; number += TMD_FILTERED_LINES, apex += TMD_FILTERED_LINES * f.apex_step) {
    vflags32 open = (vfloat)(number) <= lines;
    vflags32 flagged = open & (may_hit(&f, (vfloat)(number), apex, number <= most_left) | !f.usable);
    runs |= SELECT32((vu32)(0), (vu32)(bit), flagged);
    bit <<= 1;
    if (bit == 0) {
      wait_for(runs, first_line, &l, groups, from, waiting, kept, parts, e);
      first_line += 32 * TMD_FILTERED_LINES;
      runs = 0;
      bit = 1;
    }
  }
  wait_for(runs, first_line, &l, groups, from, waiting, kept, parts, e);
}
#endif

// Tests a slice of a batch's groups. polynomials: records of sub-intervals. candidates: arguments, counted by
// counters[0]; refused: numbers of group parts that are to be searched by themselves, counted by counters[1].
TMD_KERNEL void wide_groups(global const uint *restrict polynomials, global ulong *restrict candidates,
                            global ulong *restrict refused, wide_parameters parameters, launch_slice slice,
                            global uint *restrict counters) {
#if !TMD_SORTED
  TMD_COMPACTION_STORAGE
#endif
  u32 first = (u32)slice.first;
  u32 count = slice.count;
  evidence e = no_evidence();
  candidate_list kept;
  kept.list = candidates;
  kept.capacity = slice.capacity;
  kept.counter = counters;
  kept.sum = &e.kept[0];
  part_list parts;
  parts.list = refused;
  parts.capacity = slice.capacity;
  parts.counter = counters + 1;
  parts.sum = &e.kept[1];
  parts.part_bits = parameters.part_bits;
  group_source source = {polynomials, parameters.sub_bits, parameters.group_bits, parameters.bounds};
#if TMD_SORTED
  // Groups are sorted by their numbers of lines, so that neighbours walk equally long: each work-item takes one from
  // the short end and one from the long. Runs that pass the filter are distributed anew, line by line. Lines are loaded
  // again for it: with fewer registers in use meanwhile, more work-items fit on a device.
  local float store[TMD_STORED_FIELDS * TMD_SLOTS];
  local u32 order[TMD_SLOTS];            // slots, and results of list_runs() times 2^16
  local u32 lengths[TMD_SORTED_LENGTHS]; // number of groups of each length
  local u32 places[TMD_SORTED_LENGTHS];  // number of those of lesser lengths
  local u32 flagged[TMD_MOST_FLAGGED];   // runs from list_run(); before that, lengths and ranks times 2^16
  local u32 flagged_count;
  local u32 left_count; // groups with lines left to walk
  local u64 held[TMD_MOST_HELD];
  local u32 held_count;
  local u32 held_first;
  kept.held = held;
  kept.held_count = &held_count;
  kept.most_held = min((u32)TMD_MOST_HELD, 2 * (u32)get_local_size(0));
  u32 id = (u32)get_local_id(0);
  u32 size = (u32)get_local_size(0);
  // Lengths are distinguished up to 2.5 times the expected number of lines, (most_lines - 64)/8.
  float per_length = fmin(1.0f, 3.2f * TMD_SORTED_LENGTHS / fmax(source.bounds.most_lines - 64.0f, 1.0f));
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 block = ((u32)get_group_id(0) + step * (u32)get_num_groups(0)) * 2 * size;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 i = id; i < TMD_SORTED_LENGTHS; i += size)
      lengths[i] = 0;
    if (id == 0) {
      flagged_count = 0;
      left_count = 0;
      held_count = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    TMD_ROLLED
    for (u32 slot = id; slot < 2 * size; slot += size) {
      u32 length = 0;
      if (block + slot < count) {
        u32 group = first + block + slot;
        wide_parabola p = parabola_of(group, &source, parameters.per_sub_interval);
        check_record(group, slot, &source, &e);
        wide_lines l = lines_of(p.c0, p.c1, p.c2M2, source.bounds);
        put_off_groups(&parts, l.refused, group);
        length = min((u32)(fmax(l.last - l.line + 1.0f, 0.0f) * per_length), (u32)(TMD_SORTED_LENGTHS - 1));
        store_lines(store + slot, &l);
      }
      flagged[slot] = length | (atomic_inc(lengths + length) << 16);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 i = id; i < TMD_SORTED_LENGTHS; i += size) {
      u32 place = 0;
      for (u32 shorter = 0; shorter < i; ++shorter)
        place += lengths[shorter];
      places[i] = place;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 slot = id; slot < 2 * size; slot += size)
      order[places[flagged[slot] & 0xffffu] + (flagged[slot] >> 16)] = slot;
    barrier(CLK_LOCAL_MEM_FENCE);
    TMD_ROLLED
    for (u32 h = 0; h < 2; ++h) {
      u32 place = h == 0 ? id : 2 * size - 1 - id;
      u32 slot = order[place];
      if (block + slot < count) {
        u32 unlisted = list_runs(load_lines(store + slot), parameters.unfiltered_lines, slot, first + block + slot,
                                 &source, flagged, &flagged_count, &kept, &e);
        finished(&e, block + slot, 1, slice.ticket);
        if (unlisted != 0) {
          order[place] = slot | (unlisted << 16);
          e.marks += waiting_mark(order[place]);
          atomic_inc(&left_count);
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    u32 flagged_lines = min(flagged_count, (u32)TMD_MOST_FLAGGED) * TMD_FILTERED_LINES;
    for (u32 i = id; i < flagged_lines; i += size) {
      u32 slot = flagged[i / TMD_FILTERED_LINES] & 0xffffu;
      u32 number = (flagged[i / TMD_FILTERED_LINES] >> 16) + i % TMD_FILTERED_LINES;
      walk_lines(lines_from(load_lines(store + slot), number, 1.0f), 1, first + block + slot, 0, &source, &kept,
                 &parts);
      e.marks -= waiting_mark(flagged[i / TMD_FILTERED_LINES]);
    }
    if (left_count > 0) // of few groups, or of all
      for (u32 i = id; i < 2 * size; i += size) {
        u32 slot = order[i] & 0xffffu;
        u32 unlisted = order[i] >> 16;
        wide_lines l = load_lines(store + slot);
        if (unlisted != 0) {
          walk_lines(lines_from(l, unlisted - 1, l.last - l.line + 1.0f), 1, first + block + slot, 1, &source, &kept,
                     &parts);
          e.marks -= waiting_mark(order[i]);
        }
      }
    hand_over_together(&kept, &held_first);
  }
#else
  kept.held.count = 0;
  waiting_runs waiting;
  waiting.count = 0;
  waiting.marks = 0;
  u32 stride = (u32)get_global_size(0);
  u32 item = (u32)get_global_id(0);
  for (u32 step = 0; step < TMD_ITEMS_PER_WORK_ITEM; ++step) {
    u32 position = (item + step * stride) * TMD_VECTOR_WIDTH;
    if (position >= count)
      break;
    vflags32 counts = TO_U32(lane_numbers()) < (vu32)(count - position);
    vu32 groups = TO_U32(lane_numbers()) + (first + position);
    wide_parabola p = parabola_of(first + position, &source, parameters.per_sub_interval);
    check_record(first + position, (u32)get_local_id(0), &source, &e);
    wide_lines l = lines_of(p.c0, p.c1, p.c2M2, source.bounds);
    put_off_groups(&parts, l.refused & counts, groups);
    if (greatest_lane(SELECT32((vfloat)(-1.0f), l.last - l.line, counts)) > parameters.unfiltered_lines)
      filter_lines(l, counts, groups, &source, &waiting, &kept, &parts, &e);
    else
      walk_lines(l, counts, groups, 1, &source, &kept, &parts);
    finished(&e, position, min(count - position, (u32)TMD_VECTOR_WIDTH), slice.ticket);
  }
  if (waiting.count > 0)
    walk_runs(&waiting, &source, &kept, &parts, &e);
#if TMD_COMPACTION == TMD_COMPACTION_ATOMIC
  hand_over(&kept.held, candidates, slice.capacity, counters);
#else
  put_held(&kept.held, candidates, slice.capacity, reserve(kept.held.count, counters TMD_COMPACTION_ARGUMENT));
#endif
#endif
  testify(&e, counters);
}
