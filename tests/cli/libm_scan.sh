#!/usr/bin/env bash
# tmd libm --scan: planted faults of the kinds that correctly rounded libraries have had are found and located, and none
# is found in a right library. Budgets are calls and seeds are fixed, so that each run is the same.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

: "${TMD_SCAN_LIBRARY:?the library with faults}" "${TMD_WRONG_LIBRARY:?the library that crashes}"
scan() { # FUNCTION SYMBOL CALLS [OPTION ...]
  succeeds libm "$1" --library "$TMD_SCAN_LIBRARY" --symbol "$2" --seed 1 --calls "$3" "${@:4}"
  [[ ! -s err ]] || fail "something on stderr"
}
said() { grep -qE "$1" out || fail "not said: $1"; }
beside='beside a representable number, one in [0-9.]+ of these, one in [0-9.e+]+ of all$'

# The bounds of rounding tests are too small by 2, 3 and 5 bits, which one result in some 500,000 shows: in all binades
# at which results lie in them.
scan acosh tmd_bound_acosh 200000 --json found.jsonl
said "^wrong (.* and )?toward-zero.*, x from 2\^0 to 2\^[0-9]+: results within 2\^-1[789] ulp $beside"
grep -q '"places":\[{"rounding":"[a-z-]*","negative":false,' found.jsonl || fail "no place in the summary"
grep -q '"symbol":"tmd_bound_acosh","format":"binary64","list":null,"search":null,"seed":1}' found.jsonl || fail "no seed in the records"
scan sinh tmd_bound_sinh 100000
said "^wrong (.* and )?toward-zero.*, \|x\| (below|from 2\^-[0-9]+ to) 2\^([89]|10): results within 2\^-1[789] ulp $beside"
scan atanh tmd_bound_atanh 100000
said "^wrong (.* and )?toward-zero.*, \|x\| (below|from 2\^-[0-9]+ to) 2\^-?[01]: results within 2\^-1[789] ulp $beside"
# One result in some billions is wrong.
scan sinh tmd_rare_sinh 600000 --from 2^-10 --to 2^4
said '^wrong (.* and )?toward-zero.*, x from 2\^-[0-9]+ to 2\^[0-4]: results within 2\^-3[1-4] ulp '
# Wrong in one binade; for negative arguments in one direction; for subnormal results.
scan sinh tmd_binade_sinh 300000
said "^wrong (.* and )?toward-zero.*, \|x\| from 2\^-2 to 2\^-1: results within 2\^-1[789] ulp $beside"
! grep '^wrong' out | grep -qv '|x| from 2^-2 to 2^-1: ' || fail "another binade is wrong"
scan sinh tmd_negative_sinh 100000
said "^wrong upward, -x (below|from 2\^-[0-9]+ to) 2\^([89]|10): results within 2\^-1[789] ulp $beside"
[[ $(grep -c '^wrong' out) -eq 1 ]] || fail "another place is wrong"
scan exp tmd_twice_exp 100000
said '^wrong nearest, -x from 2\^9 to 2\^10: results .* ulp beside a midpoint, one in [0-9.]+ of these, '
[[ $(grep -c '^wrong' out) -eq 1 ]] || fail "another place is wrong"

# All misrounded results are listed, and are misrounded again; the twin has them right.
scan sinh tmd_bound_sinh 100000 --wc failing.wc
succeeds libm sinh failing.wc --library "$TMD_SCAN_LIBRARY" --symbol tmd_bound_sinh --json found.jsonl
python3 - failing.wc found.jsonl <<'END' || fail "the list is not what fails"
import json, sys
lines = [line for line in open(sys.argv[1]) if not line.startswith("#")]
faults = [json.loads(line) for line in open(sys.argv[2]) if line.startswith('{"type":"fault"')]
assert len(lines) > 100
assert {line.split()[0] for line in lines} == {one["x"] for one in faults}
listed = {(line.split()[0], part) for line in lines for part in line.rstrip("\n").split(" # ")[1].split("; ")}
assert listed == {(one["x"], f"{one['rounding']}: {one['result']} instead of {one['expected']}") for one in faults}
values = [float.fromhex(line.split()[0]) for line in lines]
assert values == sorted(values)
END
succeeds libm sinh failing.wc --library "$TMD_SCAN_LIBRARY" --symbol tmd_fast_sinh --promise correct
# Counts by direction, errors and bits, which add up to what is misrounded.
scan sinh tmd_bound_sinh 100000 --histogram --json found.jsonl
said '^misrounded by error +nearest +upward +downward +toward-zero$'
said '^misrounded by bits +nearest +upward +downward +toward-zero$'
said '^0 to 0.25 ulp +0 +[1-9]'
! grep -qE '^([2-9]|1[0-4]) +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+$' out || fail "easy results are misrounded"
python3 - <<'END' || fail "the counts do not add up"
import json
records = [json.loads(line) for line in open("found.jsonl")]
summary = records[-1]
for one in summary["directions"]:
    by_bits = sum(degree["misrounded"][one["rounding"]] for degree in summary["degrees"])
    assert sum(one["errors"]) == by_bits == one["misrounded"], one
assert len(summary["error_bins"]) == len(summary["directions"][0]["errors"])
binades = [one for one in records if one["type"] == "binade"]
assert sum(sum(one["misrounded"]) for one in binades) == sum(one["misrounded"] for one in summary["directions"])
assert all(one["exponent"] is None or one["exponent"] < 10 for one in binades)
END

# Twins have no fault, one of them with a fast path whose bound is right.
scan sinh tmd_fast_sinh 100000 --promise correct
said '^nothing wrong found at [0-9]+ arguments$'
said '^promise correct: kept$'
scan exp tmd_right_exp 100000
said '^nothing wrong found at [0-9]+ arguments$'
said '^nearest +[0-9]+ +0 +0 +-?0\.5 ulp '
mv out first
scan exp tmd_right_exp 100000
cmp -s first out || fail "the same seed gives something else"

# A short budget has some arguments of all kinds: of those that are called in any case, and of each degree of hardness.
for function in asinh tan sin tgamma; do
  succeeds libm $function --library libm.so.6 --seed 1 --calls 1000 --json found.jsonl
  python3 - <<'END' || fail "$function: a short budget samples nothing"
import json
summary = json.loads(open("found.jsonl").readlines()[-1])
assert summary["arguments"] < 6000, summary["arguments"]
assert summary["most_bits"] > 20, summary["most_bits"]
END
done

# Promises are kept or broken.
tmd libm sinh --library "$TMD_SCAN_LIBRARY" --symbol tmd_bound_sinh --seed 1 --calls 50000 --promise correct --json found.jsonl
[[ $status -eq 4 ]] || fail "a broken promise has status $status"
said '^promise correct: broken at [0-9]+ arguments, the least of them -0x'
grep -qE '"promise":\{"text":"correct","broken":[0-9]+,"x":"-0x' found.jsonl || fail "no promise in the summary"
scan sinh tmd_bound_sinh 50000 --promise 0.501
said '^promise 0.501: kept$'

# Every number of a short format, NaN, and a library that crashes.
for format in binary32 binary80 binary16; do
  # the compiler may lack it
  "$TMD" libm sqrt --library libm.so.6 --format $format --seed 1 --calls 50000 --promise correct >out 2>err || {
    [[ $format == binary16 ]] && grep -qE "C compiler has no type|has no function" err || fail "the square root is wrong in $format"
  }
done
"$TMD" libm sqrt --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_sqrtf16 --format binary16 --seed 1 --calls 50000 >out 2>err &&
  said '^misrounded -0x[0-9a-f.]+p[-+][0-9]+ nearest: -0x[0-9a-f.]+p[-+][0-9]+ instead of nan, inf ulp$'
succeeds libm recip --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_recip --seed 1 --calls 50000 --timeout 1
said '^crash +0x1.4p\+2 downward: it was ended by signal 11 '
said '^hang +0x1.cp\+2 toward-zero: it did not return$'
said '^upward +[0-9]+ +1 +3 +1.667 ulp +0x1.8p\+1$'

for option in "--scan" "--seconds 1" "--seed 1" "--calls 9"; do
  # shellcheck disable=SC2086
  refuses 2 "${option%% *} has no effect with LIST" libm exp list --library libm.so.6 $option
  # shellcheck disable=SC2086
  refuses 2 "${option%% *} has no effect with --all" libm exp --all --library libm.so.6 --format binary32 $option
done
refuses 2 "--bits has no effect with --scan" libm exp --scan --bits 20 --library libm.so.6
refuses 2 "--promise must be 'correct' or a number of ulps from 0.5 on, not '0.4'" libm exp --library libm.so.6 --promise 0.4
refuses 2 "log has no values in the range" libm log --library libm.so.6 --from -2 --to -1
