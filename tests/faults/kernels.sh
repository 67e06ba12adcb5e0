#!/usr/bin/env bash
# Kernels that are wrong on purpose, in searches as a user starts them: none may end with a wrong list and exit status 0.
# tests/README.md says of each fault who notices it.
# usage: kernels.sh [PATTERN]   only faults whose name holds the pattern
# shellcheck disable=SC2016 # Perl
source "${TMD_TESTS:?the folder of the tests}/faults/faults.bash" || exit

# fault NAME SEARCHES EXPECTED FILE EDIT [FILE EDIT...]: in one of the searches, which take turns, or with TMD_TEST_ALL in
# each, with Perl's EDIT of the kernel files, the fault is `noticed` (exit status 3 or 4); or it is `harmless`, and the list
# is right; or `either`.
fault() {
  if [[ $1 == *"${pattern:-}"* ]]; then beside try "$@"; fi
}

# also NAME ...: the same for a fault that differs little from another, of this script or of device.sh: only with
# TMD_TEST_ALL or a pattern.
also() {
  if [[ -n ${TMD_TEST_ALL:-}${pattern:-} ]]; then fault "$@"; fi
}

try() {
  local name=$1 searches expected=$3 file search
  read -ra searches <<<"$2"
  if [[ -z ${TMD_TEST_ALL:-} ]]; then searches=("${searches[begun % ${#searches[@]}]}"); fi
  shift 3
  cp -r "$TMD_TESTS/../cl_kernels" kernels
  chmod -R u+w kernels
  while [[ $# -gt 0 ]]; do
    file=$1
    cp "kernels/$file" before
    perl -0777 -pi -e "$2" "kernels/$file" || fail "$name: Perl"
    if cmp -s before "kernels/$file"; then fail "$name: the edit of $file changes nothing: $2"; fi
    shift 2
  done
  for search in "${searches[@]}"; do
    # These kernels take longer to compile than to run.
    export POCL_EXTRA_BUILD_FLAGS=
    case $search in regular | boxes | differences) POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable ;; esac
    TMD_KERNEL_PATH=$scratch/kernels run "$search"
    judge "$name" "$search" "$expected"
  done
}

pattern=${1:-}
# Runs side by side those searches that share no programs.
prepare wide regular wide-scalar regular-scalar wide-sorted parts chords chords-sorted lefevre one exhaustive differences boxes

# Launches are cut short: a driver does not run all work-groups.
cut_short() { # KERNEL
  echo "s/(void $1\\([^{]*\\{)/\$1 if (get_group_id(0) >= ${2:-8}) return;/ or die"
}
also "groups are cut short" "wide wide-scalar wide-sorted" noticed wide/groups.cl "$(cut_short wide_groups)"
also "candidates' check is cut short" "wide wide-scalar" noticed wide/check.clh "$(cut_short wide_check)"
also "sub-intervals are cut short" wide noticed wide/shift_kernel.clh "$(cut_short wide_shift 2)"
also "parts are cut short" parts noticed wide/parts.cl "$(cut_short wide_parts)"
also "phase 1 is cut short" "regular regular-scalar lefevre" noticed domains/phase1.cl "$(cut_short phase1)"
also "phase 2 is cut short" "regular regular-scalar lefevre" noticed domains/phase2.cl "$(cut_short phase2)"
also "phase 3 is cut short" "regular lefevre exhaustive" noticed domains/phase3.cl "$(cut_short phase3)"
also "coefficients are cut short" regular noticed domains/polynomials.cl "$(cut_short shift_and_walk)"
fault "starts of differences are cut short" differences noticed differences/runs.cl "$(cut_short starts 1)"
fault "runs of differences are cut short" differences noticed differences/runs.cl "$(cut_short walk 0)"
fault "boxes are cut short" boxes noticed boxes/walk.cl "$(cut_short boxes_walk)"
fault "hits of boxes are cut short" boxes noticed boxes/pairs.cl "$(cut_short boxes_filter)"
fault "pairs of boxes are cut short" boxes noticed boxes/pairs.cl "$(cut_short boxes_pairs)"
fault "the one kernel is cut short" one noticed domains/baselines/one_kernel.cl "$(cut_short one_kernel)"

# The last item of each launch is not done.
last='s/\bitem >= slice\.count\b/item + 1 >= slice.count/ or die'
fault "the last group is not done" "wide wide-scalar" noticed wide/groups.cl 's/\bposition >= count\b/position + TMD_VECTOR_WIDTH >= count/ or die'
fault "the last candidate is not checked" wide noticed wide/check.clh "$last"
fault "the last sub-interval is not made" wide noticed wide/shift_kernel.clh "$last"
fault "the last part is not done" parts noticed wide/parts.cl 's/\bitem < slice\.count\b/item + 1 < slice.count/ or die'
fault "the last domain is not tested" "regular regular-scalar" noticed domains/phase1.cl 's/position < count/position + TMD_VECTOR_WIDTH < count/ or die'
fault "the last sub-domain is not tested" "regular regular-scalar" noticed domains/phase2.cl 's/position < count/position + TMD_VECTOR_WIDTH < count/ or die'
fault "the last run is not evaluated" regular noticed domains/phase3.cl "$last"

# From here on, if vectors and scalars, or two tests, have the same text, they are tried in turn.

# Differences.
fault "a bit of a run's start" differences noticed differences/runs.cl 's/\(u64\)x\[0\] << 32/(u64)(x[0] ^ (run % 8 == 7 ? 1u << 18 : 0)) << 32/ or die'
fault "carries are lost" differences noticed differences/runs.cl 's/ \+ \(low\[l\] < low\[l \+ 1\] \? 1 : 0\)// or die'
fault "half of the bound in runs" differences noticed differences/runs.cl 's/u64 limit = 2 \* tolerance;/u64 limit = tolerance;/ or die'
fault "a 64th of the runs are not walked" differences noticed differences/runs.cl 's/(u64 limit = 2 \* tolerance;)/$1\n  if (run % 64 == 5)\n    length = 0;/ or die'
fault "candidates of runs are off by one" differences noticed differences/runs.cl 's/<< TMD_PLACE_BITS\) \+ place;/<< TMD_PLACE_BITS) + place + 1;/ or die'

# Arithmetic errs by more than OpenCL allows.
for factor in 1.0000076 0.9999924 1.0005 0.9995; do
  case $factor in # each of the two a little and much, larger and smaller
  1.0000076 | 0.9995) tried=(fault also) ;;
  *) tried=(also fault) ;;
  esac
  ${tried[0]} "roots are $factor of what they should be" wide noticed wide/lines.clh "s/return sqrt\\(x\\);/return sqrt(x) * ${factor}f;/ or die"
  ${tried[1]} "quotients are $factor of what they should be" wide-scalar noticed wide/fraction.clh "s/return x \\/ y;/return x \\/ y * ${factor}f;/ or die"
done
fault "roots and quotients are 1.0000076 of what they should be" wide noticed wide/lines.clh 's/return sqrt\(x\);/return sqrt(x) * 1.0000076f;/ or die' wide/fraction.clh 's/return x \/ y;/return x \/ y * 1.0000076f;/ or die'
fault "a division by zero is no number" "wide-scalar parts" either wide/fraction.clh 's/return x \/ y;/return SELECT32(x \/ y, (vfloat)(NAN), y == 0.0f);/ or die'
fault "numbers are cut, not rounded" wide noticed wide/fraction.clh 's/return \(x \+ TMD_FLOAT_ROUND_OFF\) - TMD_FLOAT_ROUND_OFF;/return trunc(x);/ or die'
fault "a compiler simplifies (x + c) - c" wide-scalar noticed wide/fraction.clh 's/return \(x \+ TMD_FLOAT_ROUND_OFF\) - TMD_FLOAT_ROUND_OFF;/return x;/ or die'
fault "contraction is on" "wide parts" harmless wide/lines.clh 's/^/#pragma OPENCL FP_CONTRACT ON\n/' wide/fraction.clh 's/^/#pragma OPENCL FP_CONTRACT ON\n/'
fault "contraction is off" "wide-scalar parts" harmless wide/lines.clh 's/^/#pragma OPENCL FP_CONTRACT OFF\n/' wide/fraction.clh 's/^/#pragma OPENCL FP_CONTRACT OFF\n/'
fault "upper halves of products lack their last bit" wide noticed common/portable.clh 's/define unsigned_high_half\(x, y\) mul_hi\(x, y\)/define unsigned_high_half(x, y) (mul_hi(x, y) & ~(u64)1)/ or die'
fault "upper halves of signed products lack their last bit" regular-scalar either common/portable.clh 's/define high_half\(x, y\) mul_hi\(x, y\)/define high_half(x, y) (mul_hi(x, y) & ~(i64)1)/ or die'

# Bounds are too small.
fault "no room for rounding" "wide chords" noticed wide/lines.clh 's/(define TMD_LINE_ROUNDING) \S+/$1 0.0f/ && s/(define TMD_ROOT_ROUNDING) \S+/$1 0.0f/ or die'
fault "half of the bound in the lines" wide-scalar noticed wide/lines.clh 's/fma\(q, \(vfloat\)\(bounds\.error\),/fma(q, (vfloat)(0.5f * bounds.error),/ or die'
fault "one side of the bound in the check" wide noticed wide/check.clh 's/value \+ bound < 2 \* bound/value + bound < bound/ or die'
fault "half of the bound in boxes" boxes noticed boxes/lines.clh 's/(const float tolerance = )fma\(([^;]*)\);/${1}0.5f * fma($2);/ or die'
fault "half of the bound in the filter of boxes" boxes noticed boxes/places.clh 's/f \+ s->accept <= 2 \* s->accept/f + s->accept \/ 2 <= s->accept/ or die'
fault "half of the bound in phase 1" regular noticed domains/phase1.cl 's/line \+ offset, 2 \* offset/line + offset, offset/ or die'
fault "half of the bound in phase 2" lefevre noticed domains/phase2.cl 's/line \+ offset, 2 \* offset/line + offset, offset/ or die'
fault "half of the bound in phase 3" regular noticed domains/phase3.cl 's/limit = 2 \* offset/limit = offset/ or die'

# The answer is "no" without a test.
fault "a 64th of the groups have no lines" wide-scalar noticed wide/lines.clh 's/(l\.last = SELECT32\(l\.last, [^;]*l\.refused\);)/$1 l.last = SELECT32(l.last, l.line - 1.0f, (TO_U32(c0 >> 32) & 63u) == 5u);/ or die'
fault "groups are counted, and not tested, from work-group 8 on" wide noticed wide/groups.cl 's/(    if \(greatest_lane[^\n]*\n +filter_lines)/    if (get_group_id(0) >= 8)\n      counts = (vflags32)(0);\n$1/ or die'
fault "candidates are counted, and not checked, from work-group 8 on" "wide" noticed wide/check.clh 's/value \+ bound < 2 \* bound/get_group_id(0) < 8 && value + bound < 2 * bound/ or die'
fault "domains are counted, and not tested, from work-group 8 on" lefevre noticed domains/phase1.cl 's/(keep = flag_bits\([^;]*\);)/$1 keep = get_group_id(0) >= 8 ? 0 : keep;/ or die'
fault "sub-domains are counted, and not tested, from work-group 8 on" regular noticed domains/phase2.cl 's/(keep = flag_bits\([^;]*\);)/$1 keep = get_group_id(0) >= 8 ? 0 : keep;/ or die'
fault "runs are counted, and not evaluated, from work-group 8 on" "regular" noticed domains/phase3.cl 's/u64 limit = 2 \* offset;/u64 limit = get_group_id(0) >= 8 ? 0 : 2 * offset;/ or die'
fault "a 64th of the hits of boxes are dropped" boxes noticed boxes/pairs.cl 's/if \(may_be_case\(/if (((u32)hit & 63) != 7 \&\& may_be_case(/ or die'
fault "half of the pairs below an integer are passed over" boxes noticed boxes/power_rows.clh 's/h\.part >= 0 - accept/h.part >= 0 - accept + accept \/ 2/ or die'
fault "hits of boxes that a work-item holds are dropped" boxes noticed boxes/walk.cl 's/hand_over\(&list\.held, /list.held.count = 0;\n  hand_over(\&list.held, /; /list\.held\.count = 0;\n  hand/ or die'
fault "the last line of a group is left out" wide-scalar noticed wide/lines.clh 's/(l\.last = nearest_below\([^;]*)\);/$1) - 1.0f;/ or die'
fault "left roots are left out" wide noticed wide/lines.clh 's/return l->line <= l->last_left;/return l->line < l->line;/ or die'
fault "no tolerance in the filter" "wide-scalar wide-sorted" noticed wide/filter.clh 's/vfloat tolerance = ([^;]*);/vfloat tolerance = 0.0f * ($1);/g or die'
fault "roots in the filter are 1.0005 of what they should be" "wide wide-sorted" noticed wide/filter.clh 's/: sqrt\(x\)\)/: sqrt(x) * 1.0005f)/ or die'
fault "the filter stops a 64th of the runs" "wide-scalar wide-sorted" noticed wide/filter.clh 's/return \(least <= width \+ width\)/return ((least <= width + width) & ((apex & 63u) != 5u))/ or die'
also "runs that wait are forgotten" wide noticed wide/groups.cl 's/if \(waiting\.count > 0\)/if (waiting.count > 99)/ or die'
fault "of a group's runs but the first are forgotten" wide noticed wide/groups.cl 's/bits != 0; bits &= bits - 1/bits != 0; bits = 0/ or die'
fault "lines are those that the lower lanes have" wide noticed common/vector32.clh 's/(TMD_DEFINE_FOLD\(greatest_lane, float), fmax\)/#define LOWER(x, y) (x)\n$1, LOWER)/ or die'
fault "half of the runs of lines are not walked" wide-sorted noticed wide/groups.cl 's/flagged_lines = min\(flagged_count,/flagged_lines = min(flagged_count \/ 2,/ or die'
# The batch of planted hits has fewer groups, so that marks show it.
fault "runs of lines are not walked from group 32768 on" wide-sorted noticed wide/groups.cl 's/(u32 flagged_lines = )([^;]*);/$1first + block >= 32768 ? 0 : $2;/ or die'
fault "the last run of lines is not walked from group 32768 on" wide-sorted noticed wide/groups.cl 's/(u32 flagged_lines = [^;]*);/$1 - (first + block >= 32768 \&\& flagged_count > 0 ? TMD_FILTERED_LINES : 0);/ or die'
fault "lines that are left are not walked from group 32768 on" wide-sorted noticed wide/groups.cl 's/if \(left_count > 0\)/if (left_count > 0 \&\& first + block < 32768)/ or die'
fault "runs that wait are forgotten by some work-groups" wide noticed wide/groups.cl 's/if \(waiting\.count > 0\)/if (waiting.count > 0 \&\& get_group_id(0) % 16 != 9)/ or die'
fault "the candidates that a work-item holds are dropped" wide noticed wide/groups.cl 's/hand_over\(&kept\.held, c/kept.held.count = 0;\n  hand_over(\&kept.held, c/ or die'
fault "candidates for which a list has no room are dropped" "wide-sorted parts" noticed common/shared_list.clh 's/(= value;)\s*return;\s*\}/$1\n  }\n  return;/ or die'
also "lines that are left are not walked" wide-sorted noticed wide/groups.cl 's/if \(left_count > 0\)/if (0)/ or die'
fault "chords meet a breakpoint a step further on" "chords chords-sorted" noticed wide/crowded.clh 's/place = -value \* per_rise/place = 1.0f - value * per_rise/ or die'
also "chords say that nothing counts" "chords chords-sorted" noticed wide/crowded.clh 's/upper = fmin\(place \+ width, steps\)/upper = -1.0f/ or die'
fault "chords say that nothing counts in a 16th of the groups" "chords chords-sorted" noticed wide/crowded.clh 's/upper = fmin\(place \+ width, steps\)/upper = SELECT32(fmin(place + width, steps), (vfloat)(-1.0f), TO_U32((at_first * (vu64)(0x9e3779b97f4a7c15UL)) >> 60) == 5u)/ or die'
fault "chords are half as long" "chords chords-sorted" noticed wide/crowded.clh 's/(c\.steps = )(TO_I32[^;]*);/$1(($2) >> 1);/ or die'
fault "parts are put off, and forgotten" "parts" noticed wide/groups.cl 's/slot < to->capacity\)/slot < to->capacity \&\& part % 64 != 5)/ or die'
fault "the part before is put off" "parts" noticed wide/groups.cl 's/to->list\[slot\] = part;/to->list[slot] = part - (part % 8 == 7 ? 1 : 0);/ or die'
also "the filter stops all runs" "wide wide-scalar wide-sorted" noticed wide/filter.clh 's/return \(least <= width \+ width\) \| !\(tolerance < 0\.25f\)/return tolerance != tolerance/ or die'
fault "half of the candidates that are held are dropped" "wide-sorted parts" noticed common/shared_list.clh 's/min\(\*to->held_count,/min(*to->held_count \/ 2,/ or die'
fault "a 64th of the domains are said to hold nothing" "regular lefevre" noticed domains/phase1.cl 's/(keep = flag_bits\([^;]*\);)/$1 keep = (domain \/ 64) % 64 == 5 ? 0 : keep;/ or die'
fault "a 64th of the sub-domains are said to hold nothing" lefevre noticed domains/phase2.cl 's/(keep = flag_bits\([^;]*\);)/$1 keep = (index \/ 64) % 64 == 5 ? 0 : keep;/ or die'
fault "a 64th of the domains are not evaluated" regular noticed domains/phase3.cl 's/u64 limit = 2 \* offset;/u64 limit = (domain & 63) == 7 ? 0 : 2 * offset;/ or die'
fault "a 64th of the candidates are not checked" wide noticed wide/check.clh 's/value \+ bound < 2 \* bound/((argument >> 22) & 63) != 7 \&\& value + bound < 2 * bound/ or die'

# Bits are flipped.
also "a bit of b_0 in every 8th sub-interval" wide noticed wide/shift.clh 's/(record\[at\+\+\] = f4;)/$1\n  record[0] ^= number % 8 == 7 ? 1u << 20 : 0;/ or die'
fault "a bit of b_0 in one sub-interval" wide noticed wide/shift.clh 's/(record\[at\+\+\] = f4;)/$1\n  record[0] ^= number == 37 ? 1u << 20 : 0;/ or die'
fault "a bit of b_1 in one sub-interval" wide noticed wide/shift.clh 's/(record\[at\+\+\] = f4;)/$1\n  record[2] ^= number == 37 ? 1u << 20 : 0;/ or die'
fault "a bit of b_2's float in every 8th sub-interval" wide noticed wide/shift.clh 's/(record\[at\+\+\] = f4;)/$1\n  record[TMD_RECORD_FLOATS] ^= number % 8 == 7 ? 1u << 20 : 0;/ or die'
overwritten() { # WHAT: bits of a record, after the first launch has been checked
  printf '%s\n' "s/(u32 first = \\(u32\\)slice\\.first;)/\$1\n  if (first > 32768 \&\& get_global_id(0) == 0)\n    for (int i = 0; i < TMD_RECORD_LIMBS; ++i) {\n      global u32 *at = (global u32 *)polynomials + ((middle_of(first, parameters.group_bits) >> parameters.sub_bits) + 1) * TMD_RECORD_LIMBS + i;\n      *at = $1;\n    }/ or die"
}
also "a record is overwritten" "wide wide-sorted" noticed wide/groups.cl "$(overwritten '37u * (u32)i')"
fault "a record is overwritten by its neighbour" "wide wide-scalar" noticed wide/groups.cl "$(overwritten 'at[-TMD_RECORD_LIMBS]')"
fault "a record's last bit is overwritten" wide-sorted noticed wide/groups.cl "$(overwritten '*at ^ (i == 22)')"
also "a bit of a coefficient in every 8th packet" regular noticed domains/polynomials.cl 's/store_lanes\(window_of\(state\[0\], window\),/store_lanes(window_of(state[0], window) ^ (vu64)(packet % 64 == 40 ? (u64)1 << 50 : 0),/ or die'
fault "a bit of a coefficient in one domain of a packet" regular noticed domains/polynomials.cl 's/store_lanes\(window_of\(state\[0\], window\),/store_lanes(window_of(state[0], window) ^ (vu64)(s == 77 ? (u64)1 << 50 : 0),/ or die'

# Records and arguments belong to others.
fault "the record of the sub-interval before" wide noticed wide/polynomial.clh 's/\(argument >> sub_bits\) \* TMD_RECORD_LIMBS/((argument >> sub_bits) - ((argument >> sub_bits) % 8 == 7 ? 1 : 0)) * TMD_RECORD_LIMBS/ or die'
fault "the neighbour's lane" wide noticed wide/groups.cl 's/middle_of\(group\[lane\]/middle_of(group[lane ^ 1]/ or die'
fault "the neighbour's lane of domains" regular noticed common/vector.clh 's/<< lane_numbers\(\)/<< (lane_numbers() ^ 1)/ or die'
fault "the lowest lane for all" regular noticed domains/phase1.cl 's/domain \+ LOWEST_BIT\(keep\)/domain/ or die'
fault "candidates are off by one" wide-scalar noticed wide/groups.cl 's/\(u64\)\(i64\)each\[lane\]/(u64)(i64)each[lane] + 1/ or die'
fault "candidates of parts are off by one" parts noticed wide/parts.cl 's/centre \+ \(u64\)\(i64\)i\b/centre + (u64)(i64)i + 1/ or die'
fault "candidates of phase 3 are off by one" regular noticed domains/phase3.cl 's/append\(argument \+ m \+ i,/append(argument + m + i + 1,/ or die'

# Lists are wrong.
fault "lists lose every 1000th entry" wide noticed common/append.clh 's/slot < capacity\)/slot < capacity && slot % 1000 != 999)/g or die'
fault "phase 1 loses every 100th entry" lefevre noticed domains/phase1.cl 's/slot < slice\.capacity\)/slot < slice.capacity && slot % 100 != 99)/ or die'
fault "phase 2 loses every 100th entry" regular noticed domains/phase2.cl 's/slot < slice\.capacity\)/slot < slice.capacity && slot % 100 != 99)/ or die'
fault "places of lists have 8 bits" wide-scalar noticed common/append.clh 's/atomic_(inc\(counter\)|add\(counter, count\))/(atomic_$1 & 0xffu)/g or die'
fault "counters of lists have 8 bits" wide noticed common/append.clh 's/= atomic_(inc\(counter\)|add\(counter, count\));/= atomic_$1 & 0xffu;\n  atomic_and(counter, 0xffu);/g or die'
fault "places of survivors have 8 bits" lefevre noticed common/compaction.clh 's/return atomic_inc\(counter\);/return atomic_inc(counter) & 0xffu;/ && s/return atomic_add\(counter, count\);/return atomic_add(counter, count) & 0xffu;/ or die'
fault "additions to counters are not atomic" wide noticed common/append.clh 's/u32 slot = atomic_inc\(counter\);/u32 slot = *counter;\n  *counter = slot + (slot % 100 == 99 ? 0 : 1);/g; s/u32 first = atomic_add\(counter, count\);/u32 first = *counter;\n  *counter = first + (first % 100 == 99 ? 0 : count);/ or die'
fault "candidates are listed twice" wide-scalar either common/append.clh 's/(void append_while_few[^}]*?slot < capacity\)\s*kept\[slot\] = value;)/$1\n  slot = take_places(1, capacity, counter);\n  if (slot < capacity)\n    kept[slot] = value;/ or die'
fault "arguments are listed twice" "wide regular lefevre exhaustive" either common/append.clh 's/(void append\([^}]*?kept\[slot\] = value;)/$1\n  slot = atomic_inc(counter);\n  if (slot < capacity)\n    kept[slot] = value;/ or die'

finish
