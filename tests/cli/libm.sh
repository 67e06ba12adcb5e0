#!/usr/bin/env bash
# tmd libm: its findings on a library that misrounds, crashes and hangs, and on this machine's where that must be right.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

: "${TMD_WRONG_LIBRARY:?the library that is wrong at 3, 5, 7 and 9}"
printf '%s\n' '# comment' 0x1.8p+0 3 5 7 9 '0x1.4p+3 44' 0x1p-1030 snan 1,2 >list
succeeds libm recip list --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_recip --timeout 1 --json found.jsonl
[[ ! -s err ]] || fail "something on stderr"
grep -qE '^upward +7 +1 +3 ' out || fail "not one misrounded and three lost arguments upward"
grep -qE '^crash +0x1.4p\+2 downward: it was ended by signal 11 ' out || fail "the crash has no row"
grep -qE '^crash +0x1.2p\+3 nearest: it was ended by signal 6 ' out || fail "the abort has no row"
grep -qE '^hang +0x1.cp\+2 toward-zero: it did not return$' out || fail "the hang has no row"
grep -q '"kind":"misrounded","x":"0x1.8p+1","rounding":"nearest","result":"0x1.5555555555556p-2","expected":"0x1.5555555555555p-2","error":0.66666' found.jsonl ||
  fail "the misrounded value has no record"
[[ $(grep -c '"type":"fault"' found.jsonl) -eq 16 ]] || fail "not 16 faults"

# The failing arguments as a list with comments, which is a list again.
succeeds libm recip list --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_recip --timeout 1 --wc failing.wc
grep -qx '# tmd_wrong_recip of .*, binary64: 4 arguments at which it fails' failing.wc || fail "not four failing arguments"
grep -qE '^0x1.8p\+1 # nearest: 0x1.5555555555556p-2 instead of 0x1.5555555555555p-2; upward: ' failing.wc || fail "no misrounded result in the list"
grep -qE '^0x1.4p\+2 # nearest: it was ended by signal 11 .*; toward-zero: it was ended' failing.wc || fail "no crash in the list"
succeeds libm recip failing.wc --library "$TMD_WRONG_LIBRARY" --symbol tmd_right_recip --promise correct
grep -qE '^nearest +4 +0 +0 ' out || fail "the list is not read"
refuses 2 "--json and --wc name the same file" libm recip list --library "$TMD_WRONG_LIBRARY" --wc same --json same

# Side effects of a library: environments are restored after each call, so that the next one is right.
printf '%s\n' 11 13 15 19 >list_besides
succeeds libm recip list_besides --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_recip --json found.jsonl
grep -qE '^upward +4 +0 +0 ' out || fail "what a call does besides makes others wrong"
grep -qE '^environment 0x1.6p\+3 nearest: it changed the rounding direction$' out || fail "the direction is not noticed"
grep -qE '^environment 0x1.ap\+3 upward: it cleared exception flags that had been raised before$' out ||
  fail "the flags are not noticed"
grep -qE '^output +0x1.ep\+3 toward-zero: it wrote to standard output$' out || fail "the output is not noticed"
[[ $(grep -c '"type":"fault"' found.jsonl) -eq 11 ]] || fail "not 3 + 4 + 4 calls that do something besides"
printf '%s\n' 2 17 19 >list_once
succeeds libm recip list_once --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_recip
grep -qE '^output +0x1p\+1 nearest: it wrote to standard output, once, in this call or one behind it$' out ||
  fail "an output that does not come again is not noticed"
sort -u list list_besides list_once >list_all
succeeds libm recip list_all --library "$TMD_WRONG_LIBRARY" --symbol tmd_right_recip
[[ $(grep -cE ' +13 +0 +0 ' out) -eq 4 && $(wc -l <out) -eq 6 ]] || fail "the right twin has a fault"

# The square root is correctly rounded by IEEE 754, overflow and underflow of 1/x by the processor.
succeeds libm sqrt list --library libm.so.6
[[ $(grep -cE ' +7 +0 +0 ' out) -eq 4 ]] || fail "the square root is misrounded in double"
succeeds libm sqrt list --library libm.so.6 --format binary32
[[ $(grep -cE ' +6 +0 +0 ' out) -eq 4 ]] || fail "the square root is misrounded in float"
grep -q "note: 1 entry is not a binary32 number and was skipped (line 8)" err || fail "0x1p-1030 is a float"

# Outside the domain only "not a number" is right; C23 prescribes the values at poles. Where nobody does, as for a
# function that is not C's, they are named. Right values of directed roundings have no error.
printf '%s\n' -1 0 2 >ends
succeeds libm 1/x ends --library "$TMD_WRONG_LIBRARY" --symbol tmd_right_recip
grep -qF 'tmd: note: 1/x has no value at 1 entry, where it was not called (line 2)' err || fail "the pole is not named"
succeeds libm log ends --library libm.so.6
grep -qE '^nearest +3 +0 ' out || fail "the logarithm of -1 or of 0 is not called"
grep -qE '^upward +3 +0 +0 +none' out || fail "a right value has an error"
succeeds libm sqrt ends --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_recip
grep -qE '^misrounded -0x1p\+0 nearest: -0x1p\+0 instead of nan, inf ulp$' out || fail "a number outside the domain is right"

# A list says its format.
sed '1s/.*/# Hard-to-round cases of sqrt on [1, 16), binary32 with arguments of 24 bits, breakpoints: all, K = 2./' list >sqrtf.wc
succeeds libm sqrt sqrtf.wc --library libm.so.6
grep -q '^sqrtf of ' out || fail "the list's format is not taken"
refuses 2 "sqrtf.wc is of --format binary32; the command line says otherwise" libm sqrt sqrtf.wc --library libm.so.6 --format binary64
refuses 2 "sqrtf.wc has the cases of sqrt, not of exp" libm exp sqrtf.wc --library libm.so.6
"$TMD" libm sqrt - --library libm.so.6 <sqrtf.wc >out 2>err || fail "standard input is not read"

refuses 2 "--library is missing" libm exp list
refuses 2 "--library is missing" libm exp --from 1 --to 2
refuses 2 "--bits has no effect with LIST" libm exp list --library libm.so.6 --bits 20
refuses 2 "--device has no effect without --bits" libm exp --library libm.so.6 --device 0
refuses 2 "--from and --to belong together" libm exp --library libm.so.6 --from 1
refuses 2 "the range is empty" libm exp --library libm.so.6 --from 2 --to 1
refuses 2 "is outside the domain of log" libm log --library libm.so.6 --bits 20 --from -2 --to -1
refuses 2 "C has no function recip; --symbol names the library's" libm recip list --library libm.so.6
refuses 2 "libm.so.6 has no function 'nothing'; --symbol names another" libm exp list --library libm.so.6 --symbol nothing
refuses 2 "cannot load the library: " libm exp list --library ./none.so
refuses 2 "this C compiler has no type for the format bfloat16" libm exp list --library libm.so.6 --format bfloat16
refuses 2 "cannot read 'none': No such file" libm exp none --library libm.so.6
echo snan >empty
refuses 2 "the list has no number of binary64 at which exp can be called" libm exp empty --library libm.so.6

# The promise of a list: exit status 4 if it is broken.
succeeds libm recip list_all --library "$TMD_WRONG_LIBRARY" --symbol tmd_right_recip --promise correct
grep -qx 'promise correct: kept' out || fail "the right twin breaks its promise"
tmd libm recip list --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_recip --timeout 1 --promise 2.0
[[ $status -eq 4 ]] || fail "a broken promise has status $status"
grep -qx 'promise 2.0: broken at 3 arguments, the least of them 0x1.4p+2' out || fail "crashes and hangs keep a promise"

# Hard cases are searched first.
tmd devices
grep -q "usable  *yes" out || skip "no usable device"
for format in "binary32 14" "binary64 31" "binary80 31"; do
  succeeds libm sqrt --library libm.so.6 --format "${format% *}" --bits "${format#* }" --json found.jsonl
  grep -qE ', at the cases of sqrt on \[0x1(\.4)?p\+0, ' out || fail "not the range near 1 in $format"
  [[ $(awk '$1 == "nearest" && $2 >= 200' out | wc -l) -eq 1 ]] || fail "not some hundred cases in $format"
  [[ $(grep -cE '^(nearest|upward|downward|toward-zero) +[0-9]+ +0 +0 ' out) -eq 4 ]] || fail "the square root is misrounded in $format"
done
grep -qF '"list":null,"search":"sqrt on [0x1.4p+0, ' found.jsonl || fail "not the search in the records"
succeeds libm atanh --library libm.so.6 --bits 31
grep -qF 'at the cases of atanh on [0x1.4p-1, ' out || fail "not a range in the domain"
succeeds libm exp --library libm.so.6 --from 1 --to 0x1.00000001p+0 --bits 20
grep -qE '^nearest +4 ' out || fail "not the four cases of the range"
