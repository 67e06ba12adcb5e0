#!/usr/bin/env bash
# tmd libm: two libraries compared.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

: "${TMD_WRONG_LIBRARY:?the library that is wrong at some arguments}" "${TMD_SCAN_LIBRARY:?the library with faults}"
said() { grep -qE "$1" out || fail "not said: $1"; }

# The twin is right: of seven arguments three do not return.
printf '%s\n' 0x1.8p+0 3 5 7 9 10 -1030 >list
succeeds libm recip list --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_recip --timeout 1 \
  --against "$TMD_WRONG_LIBRARY:tmd_right_recip" --json found.jsonl
said "^against tmd_right_recip of $TMD_WRONG_LIBRARY, binary64$"
said '^rounding +compared +differ +right +other right +neither +both +not known +lost$'
for direction in nearest upward downward toward-zero; do said "^$direction +4 +1 +0 +1 +0 +0 +0 +3$"; done
said '^differ 0x1.8p\+1 nearest: 0x1.5555555555556p-2, the other 0x1.5555555555555p-2, right 0x1.5555555555555p-2$'
grep -q '"type":"difference","x":"0x1.8p+1","rounding":"nearest","result":"0x1.5555555555556p-2","other":"0x1.5555555555555p-2","expected":"0x1.5555555555555p-2","right":"other"}' found.jsonl ||
  fail "no record of the difference"
grep -q '"against":{"library":"[^"]*","symbol":"tmd_right_recip"}' found.jsonl || fail "the first record lacks the other library"
grep -q '"differences":\[{"rounding":"nearest","compared":4,"lost":3,"differ":1,"neither":0,"library":0,"other":1,"both":0,"unknown":0}' found.jsonl ||
  fail "no counts in the summary"
succeeds libm recip list --library "$TMD_WRONG_LIBRARY" --symbol tmd_right_recip --timeout 1 \
  --against "$TMD_WRONG_LIBRARY:tmd_wrong_recip"
said '^nearest +4 +1 +1 +0 +0 +0 +0 +3$'
# Neither is right, or both are, at a zero that is exact. The default is C's function.
printf '%s\n' 2 3 >two
succeeds libm sqrt two --library libm.so.6 --symbol exp --against libm.so.6:log
said '^nearest +2 +2 +0 +0 +2 +0 +0 +0$'
said '^differ 0x1p\+1 nearest: .*, right 0x1.6a09e667f3bcdp\+0: neither$'
succeeds libm sin --library libm.so.6 --symbol fabs --against libm.so.6 --seed 1 --calls 2000
said '^against sin of libm.so.6, binary64$'
said '^upward( +[0-9]+){5} +1 +0 +0$'

# Samples, and all arguments: where one is wrong and the other right, there are as many as are misrounded.
succeeds libm sinh --library "$TMD_SCAN_LIBRARY" --symbol tmd_bound_sinh --seed 1 --calls 50000 \
  --against "$TMD_SCAN_LIBRARY:tmd_fast_sinh"
misrounded=$(awk '$1 == "upward" { print $3; exit }' out)
[[ $misrounded -gt 10 ]] || fail "nothing is misrounded"
said "^upward +[0-9]+ +$misrounded +0 +$misrounded +0 +0 +0 +0$"
succeeds libm sqrt --all --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_sqrtf --format binary32 --timeout 1 --from 1 \
  --to 1.125 --against "$TMD_WRONG_LIBRARY:tmd_right_sqrtf"
said '^upward +1048575 +2 +0 +2 +0 +0 +0 +1$'
said '^nearest +1048574 +1 +0 +1 +0 +0 +0 +2$'
succeeds libm sqrt --all --library libm.so.6 --format binary32 --from 1 --to 1.125 --against libm.so.6
said '^nearest +1048576 +0 +0 +0 +0 +0 +0 +0$'

refuses 2 "libm.so.6 has no function 'nothing'" libm exp list --library libm.so.6 --against libm.so.6:nothing
refuses 2 "C has no function recip; --symbol names the library's" libm recip list --library "$TMD_WRONG_LIBRARY" --symbol tmd_right_recip --against libm.so.6

# All functions of a library: its own ones have a line and records each; another run continues after these.
: "${TMD_TWO_FUNCTIONS:?the library with two functions of C}"
all=(libm --all-functions --library "$TMD_TWO_FUNCTIONS" --format binary32 --calls 20000 --seed 1 --promise correct)
tmd "${all[@]}" --json both.jsonl
[[ $status -eq 4 && ! -s err ]] || fail "status $status, or something on stderr"
said '^function +arguments +to nearest +largest error +directed +largest error +lost$'
said '^cbrtf +[0-9]+ +[1-9][0-9]* +[0-9.]+e\+[0-9]+ ulp +[1-9][0-9]* +[0-9.]+e\+[0-9]+ ulp +0  correct broken$'
said '^sqrtf +[0-9]+ +0 +0\.[0-9]+ ulp +0 +none +0  correct kept$'
said '^absent: acosf, .*, sinf, .*, y1f$'
[[ $(wc -l <out) -eq 4 && $(grep -c '"type":"library"' both.jsonl) -eq 2 ]] || fail "not two functions"
"$TMD_TESTS/records.py" both.jsonl || fail "wrong records"
mv out first
# The run is killed within a line of the second function.
sed '/"symbol":"sqrtf"/,$d' both.jsonl >begun.jsonl
cp begun.jsonl half.jsonl
grep '"symbol":"sqrtf"' both.jsonl | head -c 100 >>half.jsonl
for file in begun half both; do
  tmd "${all[@]}" --json $file.jsonl
  cmp -s out first && [[ $status -eq 4 ]] || fail "$file.jsonl: another table"
  cmp -s $file.jsonl both.jsonl || fail "$file.jsonl: other records"
done
succeeds libm --all-functions --library "$TMD_TWO_FUNCTIONS" --format binary32 --calls 99 --json both.jsonl
sed 's/  correct \(broken\|kept\)$//' first | diff - out >/dev/null || fail "what is there is done again"
if "$TMD" libm sqrt --all --library libm.so.6 --format binary16 >/dev/null 2>&1; then
  succeeds libm --all-functions --all --library libm.so.6 --format binary16
  said '^sqrtf16 +65536 +0 '
fi
refuses 2 "'both.jsonl' has results of another library or format" libm --all-functions --library libm.so.6 --json both.jsonl
refuses 2 "'both.jsonl' has results of another library or format, or of other arguments" libm --all-functions --all \
  --library "$TMD_TWO_FUNCTIONS" --format binary32 --json both.jsonl
refuses 2 "'list' is no file of tmd libm --json" libm --all-functions --library libm.so.6 --json list
refuses 2 "--all-functions takes neither FUNCTION nor LIST" libm exp --all-functions --library libm.so.6
refuses 2 "--symbol has no effect with --all-functions" libm --all-functions --library libm.so.6 --symbol exp
refuses 2 "cannot load the library: " libm --all-functions --library ./none.so
refuses 2 "does not define 'sinf' itself, only a library that it uses does" libm sin --library "$TMD_TWO_FUNCTIONS" --format binary32
