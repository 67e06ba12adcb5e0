#!/usr/bin/env bash
# tmd search of functions of two variables: lists, records, families, and refused requests.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

succeeds search atan2 --format bfloat16 --bits 14 --wc angles.wc --json angles.jsonl
[[ ! -s err ]] || fail "something on stderr"
cases=$(grep -vc '^#' angles.wc)
[[ $cases -gt 50 && $cases -eq $(grep -c '"type":"case"' angles.jsonl) ]] || fail "not as many pairs as cases"
grep -q "^# Complete: every pair closer than 2^-14 spacings" angles.wc || fail "it does not say that it is complete"
grep -qE '^# Family: [0-9]+ entries are cases and not listed: 0 < y/x < 2\^-9 and' angles.wc || fail "not the family"
if grep -v '^#' angles.wc | grep -qvE '^0x[0-9a-fp.+-]+,-?0x[0-9a-fp.+-]+$'; then fail "a line is no pair"; fi
# Each entry is what `tmd show` says of it.
IFS=, read -r y x < <(grep -v '^#' angles.wc | head -n 1)
bits=$(sed -n 's/.*"bits":\([0-9.]*\),"breakpoint":.*"pairs".*/\1/p;T;q' angles.jsonl)
succeeds show atan2 "$y" "$x" --format bfloat16
grep -qE "distance +$bits bits from" out || fail "tmd show does not say $bits bits at $y, $x"

# The search is repeated.
succeeds verify angles.jsonl --json verification.jsonl
grep -qE '^searched again +ok +all pairs, pair by pair, [0-9]+ cases$' out || fail "it was not searched again"
grep -q '"type":"verification".*"job":"atan2, bfloat16' verification.jsonl || fail "no record of what was verified"
grep -qE '^counts +ok +[0-9]+ cases where 16\.2 were to be expected \(p = [0-9.]+\); 10 cells, smallest p = 0\.' out || fail "cases were not counted"
sed 3d angles.jsonl >lacking.jsonl
tmd verify lacking.jsonl
[[ $status -eq 4 ]] || fail "status $status where a case is missing"
grep -qE '^searched again, 0x[^ ]*: it is missing$' out || fail "the missing case is not named"
sed '3s/"bits":[0-9.]*/"bits":14.1/' angles.jsonl >wrong.jsonl
tmd verify wrong.jsonl --no-search
[[ $status -eq 4 ]] || fail "status $status where bits are wrong"
grep -qE '^entries, line 3, 0x.* bits, not 14.1000$' out || fail "wrong bits are not named"
sed '$d' angles.jsonl >torn.jsonl
refuses 2 "its end is missing" verify torn.jsonl
refuses 2 "'angles.wc' lists pairs: \`tmd verify\` takes the JSON Lines" verify angles.wc
refuses 2 "it is records of a search of pairs" publish angles.jsonl --into pages

# A list is checked against that search: other pairs of the same ratio are accepted, and the list states its K.
succeeds check atan2 angles.wc
grep -qE "^$cases entries in the range, 0 outside; 0 mistakes$" out || fail "not as many entries as cases"
grep -v '^#' angles.wc | sed 1,2d >lacking.wc
echo "0x1.8p+0,0x1p+0" >>lacking.wc
tmd check atan2 lacking.wc --format bfloat16 --bits 14 --json check.jsonl
[[ $status -eq 4 ]] || fail "status $status for a list with two cases missing"
grep -qF "$y,$x: $bits bits from a midpoint" out || fail "the hardest is not missing"
grep -qE '^superfluous +0x1.8p\+0,0x1p\+0, line [0-9]+: [0-9.]+ bits, no 14-bit case$' out || fail "not superfluous"
grep -qE '3 mistakes: 2 missing, 1 superfluous$' out || fail "not three mistakes"
succeeds check atan2 lacking.wc --format bfloat16 --bits 14 --values-only --allow-extra
# With y and x halved it is another pair of the ratio. Without a search it may be of any format.
echo "0x1.e2p-9,0x1.0ep-1" >half.wc
succeeds check atan2 half.wc --format bfloat16 --bits 22 --values-only
echo "0x1.8p+0,0x1p+1" >power.wc
tmd check pow power.wc --format binary32 --bits 44 --values-only
[[ $status -eq 0 ]] || fail "a square is exact, and no mistake"
refuses 2 "pow in binary32 is searched on a device, by \`tmd search\` alone" check pow power.wc --format binary32 --bits 44
refuses 2 "--from is not for functions of two variables" check atan2 angles.wc --from 1

# By breakpoints, in seconds: the hardest hypot in binary32.
succeeds search 'sqrt(x^2 + y^2)' --format binary32 --bits 46
grep -qE '^0x1.87fffcp\+12,0x1.bffffep\+0 +47.6147 bits  midpoint +242 pairs$' out || fail "not the hardest of hypot"

# Exact values are counted, the same number with any number of threads.
succeeds search hypot --format bfloat16 --bits 12 --show 3 --host-threads 1
grep -qE '^[0-9]+ entries are exact: x\^2 \+ y\^2 is' out || fail "hypot's exact values are not counted"
sed 's/ in [0-9.]* s,//' out >one
succeeds search hypot --format bfloat16 --bits 12 --show 3 --host-threads 3
sed 's/ in [0-9.]* s,//' out | diff - one >/dev/null || fail "another result with three threads"

# pown with all integers, and with one of them as a function of one variable.
for one in pown:-3 pown:100 rootn:5 rootn:-555; do
  bits=$([[ $one == pown* ]] && echo 4 || echo 13)
  succeeds search "${one%:*}" --format binary16 --bits "$bits" --wc all.wc --quiet
  succeeds search "$one" --format binary16 --bits "$bits" --no-symmetry --wc one.wc --quiet
  grep -v '^[#-]' one.wc | sort >expected
  [[ $(wc -l <expected) -gt 5 ]] || fail "few cases of $one"
  sed -n "s/,${one#*:}\$//p" all.wc | sort | cmp -s - expected || fail "not the cases of $one"
done
refuses 2 "rootn in bfloat16 needs --bits 12 or more: with 11, too many pairs are cases" \
  search rootn --format bfloat16 --bits 11
succeeds show rootn -0x1.8p+1 3
refuses 2 "N: '0.5' is not a 64-bit integer" show rootn 3 0.5
refuses 2 "pown takes an integer, with which tmd calls no library" libm pown all.wc
# A pair with another sign of x belongs to the same entry; a number that is no integer makes no pair.
succeeds search pown --format bfloat16 --bits 16 --wc powers.wc --quiet
grep -v '^#' powers.wc | sed '1s/^0x/-0x/;2d' >lacking.wc
echo "0x1.8p+0,0.5" >>lacking.wc
tmd check pown lacking.wc --format bfloat16 --bits 16
[[ $status -eq 4 ]] || fail "status $status for a list with a case missing"
grep -qE ' 2 mistakes: 1 missing, 1 unusable$' out || fail "not two mistakes"

refuses 2 "--from is not for functions of two variables, such as hypot" search hypot --format binary16 --from 1
refuses 2 "hypot in binary32 needs --bits 27 or more: with 20, too many pairs are cases" \
  search hypot --format binary32 --bits 20
# A library at the pairs of a list: operands in C's order, exact values in every direction, and refused entries.
printf '%s\n' 3,4 5,12 0x1p-1074,0x1p-1074 nan,1 0,1 >legs.wc
succeeds libm hypot legs.wc --library libm.so.6 --promise correct
[[ $(grep -cE ' +3 +0 +0 ' out) -eq 4 ]] || fail "hypot is misrounded at pairs that are easy"
grep -qF "2 entries are not binary64 numbers and were skipped (lines 4, 5)" err || fail "a special value is called"
printf '%s\n' 2,3 3,2 1,7 -3,0.5 >powers.wc
succeeds libm pow powers.wc --library libm.so.6
grep -qE '^nearest +4 +0 +0 ' out || fail "pow is misrounded at small numbers, or at those without a value"
tmd libm pow powers.wc --library libm.so.6 --symbol hypot --promise 2 --wc failing.wc --json found.jsonl
[[ $status -eq 4 ]] || fail "status $status where a library has another function"
grep -qE '^0x1p\+1,0x1.8p\+1 # nearest: 0x1.cd82b446159f3p\+1 instead of 0x1p\+3;' failing.wc || fail "no pair in the list"
grep -q '"x":"0x1.8p+1,0x1p+1","rounding":"nearest"' found.jsonl || fail "no pair in the records"
refuses 2 "hypot is called at the pairs of a list" libm hypot --library libm.so.6
printf 'nan,1\n' >none.wc
refuses 2 "the list has no pair of binary64 at which pow can be called" libm pow none.wc --library libm.so.6
refuses 2 "--flags has no effect with a function of two variables" libm pow powers.wc --library libm.so.6 --flags
