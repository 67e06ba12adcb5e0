#!/usr/bin/env bash
# tmd search of an expression over ranges of x and y, with a journal: killed and resumed, in parts and merged, on two
# devices, it finds what one search finds; its files are verified and checked; refused requests.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

range=(--x-range 1:1.5 --y-range -2:-1)
expression=(search 'exp(x)*y' --format p17 --bits 26 "${range[@]}" --reproducible)
succeeds "${expression[@]}" --dry-run
grep -q '^  pairs     2147483648, ' out || fail "the dry run does not say how many pairs"
grep -qE '^  time      about [0-9]+:[0-9]{2}:[0-9]{2} on .+, by what parts of it take$' out || fail "nor how long it takes"
succeeds "${expression[@]}" --device 0 --no-journal --wc whole.wc --json whole.jsonl --quiet
[[ $(grep -vc '^#' whole.wc) -gt 40 ]] || fail "hardly any cases"
grep -q '^0x1\.[0-9a-f]*p+0,-0x1\.' whole.wc || fail "no pair with a negative y"
grep -q '"ranges":\["1:1.5","-2:-1"\]' whole.jsonl || fail "the records do not have the ranges"

begins "$TMD" "${expression[@]}" --device 0 --wc files/all.wc --json files/all.jsonl
for ((i = 0; i < 1200; ++i)); do
  if grep -q '"type":"part"' files/all.wc.journal 2>/dev/null; then break; fi
  sleep 0.05
done
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
[[ ! -e files/all.wc ]] || fail "a search that was killed has left a list"
succeeds status files/all.wc.journal
grep -qE '^  state +interrupted$' out || fail "it is not interrupted"
refuses 2 "is of another search, which has not ended" search 'exp(x)*y' --format p17 --bits 26 --x-range 1:1.5 \
  --y-range -2:-1.5 --journal files/all.wc.journal
succeeds resume files/all.wc.journal --quiet
cmp -s files/all.wc whole.wc || fail "killed and resumed it has another list"
cmp -s files/all.jsonl whole.jsonl || fail "killed and resumed it has other records"

two_devices || true
succeeds "${expression[@]}" "${devices[@]}" --shard 1/2 --audit 0.01 --wc files/one.wc
[[ ${devices[1]} == 0 ]] || grep -qE '^on .*, .*' out || fail "not on two devices"
grep -qE '^  audit +[0-9]+ pairs .* by other boxes: the same [0-9]+ cases?, and [0-9]+ planted, ' out || fail "no audit"
unset POCL_DEVICES
succeeds "${expression[@]}" --device 0 --shard 2/2 --wc files/two.wc --quiet
refuses 2 "lines of pairs are in none of the parts" merge files/one.wc.journal --wc files/half.wc
succeeds merge files/one.wc.journal files/two.wc.journal --wc files/merged.wc --json files/merged.jsonl --quiet
cmp -s files/merged.wc whole.wc || fail "both parts together have another list"
cmp -s files/merged.jsonl whole.jsonl || fail "both parts together have other records"

# All of it is searched again, and a list that says what it is of is checked by a search.
succeeds verify whole.jsonl --share 1 --device 0
grep -qE '^searched again +ok +[0-9]+ of [0-9]+ lines of pairs, by other boxes, [0-9]+ cases$' out || fail "not by boxes"
sed 3,9d whole.jsonl >lacking.jsonl
tmd verify lacking.jsonl --share 1 --device 0
[[ $status -eq 4 ]] || fail "status $status where cases are missing"
[[ $(grep -cE '^searched again, 0x.*: it is missing$' out) -eq 7 ]] || fail "missing cases are not named"
sed '2s/\("y":"[^p]*p+\)0/\11/' whole.jsonl >outside.jsonl
tmd verify outside.jsonl --no-search
grep -qE '^entries, line 2, .*: it is outside the ranges$' out || fail "a pair outside the ranges is not told"
succeeds check 'exp(x)*y' whole.wc --device 0
sed '/^0x/{s/^/-/;:rest;n;b rest}' whole.wc >outside.wc # the first x is negative now
tmd check 'exp(x)*y' outside.wc --device 0 --json check.jsonl
[[ $status -eq 4 ]] || fail "status $status for a list with a case missing"
grep -qE '^[0-9]+ entries in the range, 1 outside; 1 mistakes?' out || fail "not one case missing and one outside"
grep -v '^#' whole.wc >bare.wc
refuses 2 "an expression of x and y needs a range for each" check 'exp(x)*y' bare.wc --format p17 --bits 26
succeeds check 'exp(x)*y' bare.wc --format p17 --bits 26 "${range[@]}" --values-only
refuses 2 "--x-range and --y-range say otherwise" check 'exp(x)*y' whole.wc --x-range 1:2 --y-range -2:-1

# For x < 0, pow has values at integers y alone: here at y = 2, and that is exact. Chance tells counts of whole formats.
succeeds search pow --format p4 --bits 3 --x-range -512:-480 --y-range 2:3
grep -q '^0 cases in' out || fail "cases where pow has no value"
grep -q '^1 entries are exact' out || fail "(-512)^2 is not exact"
succeeds search pow --format p10 --bits 8 --x-range 1.25:1.5 --y-range 2:3 --json powers.jsonl --quiet
succeeds verify powers.jsonl --device 0

# A pair that is undecided stays so in a journal.
undecided=(search 'sin(x)^2+cos(x)^2+y-y' --format p10 --bits 8 --x-range 1:1.0625 --y-range 1:1.0625)
tmd "${undecided[@]}" --wc files/undecided.wc --quiet
[[ $status -eq 1 ]] || fail "status $status where pairs are undecided"
mv files/undecided.wc undecided.wc
tmd resume files/undecided.wc.journal --quiet
[[ $status -eq 1 ]] || fail "status $status where pairs of a journal are undecided"
cmp -s files/undecided.wc undecided.wc || fail "the journal has lost undecided pairs"
grep -q '^# Undecided: ' undecided.wc || fail "no pair is undecided"

refuses 2 "cannot be searched next to 0x1." search 'sqrt(x-y)' --format binary32 --x-range 1:2 --y-range 1:2 --bits 44
refuses 2 "--from is not for functions of two variables, such as exp(x)*y" "${expression[@]}" --from 1
refuses 2 "expressions of x and y can be searched in formats of up to 24 bits of precision; binary64 has 53" \
  search 'exp(x)*y' --format binary64 --x-range 1:2 --y-range 1:2
refuses 2 "more than 10 pairs are cases or exact" search 'x+y' --format binary16 --x-range 1:2 --y-range 1:1.25 \
  --bits 24 --most-cases 10 --no-journal --quiet
