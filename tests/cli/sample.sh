#!/usr/bin/env bash
# tmd sample: sets of arguments at which to test, read by tmd libm, with right results and as raw numbers.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

: "${TMD_SCAN_LIBRARY:?the library with faults}"
succeeds sample sinh --count 2000 --wc set.wc --bin set.bin --expected
[[ ! -s out && ! -s err ]] || fail "something is printed"
head -n 1 set.wc | grep -q '^# 2000 arguments at which to test sinh in binary64: 0 of a list, 500 at which something changes, and from ' ||
  fail "the first line"
[[ $(grep -vc '^#' set.wc) -eq 2000 ]] || fail "not 2000 arguments"
[[ $(grep -c '^# nearest ' set.wc) -eq 2000 ]] || fail "not 2000 right results"
[[ $(stat -c %s set.bin) -eq 16000 ]] || fail "not 2000 raw numbers"
# A bound is too small by some bits, which one in half a million of random arguments would show.
succeeds libm sinh set.wc --library "$TMD_SCAN_LIBRARY" --symbol tmd_bound_sinh
grep -qE '^toward-zero +2000 +[1-9]' out || fail "the fault is not found"

succeeds sample sinh --count 2000
grep -v '^#' out >printed
grep -v '^#' set.wc | cmp - printed || fail "not the same on standard output"
succeeds sample exp --from 1 --to 2 --count 50 --format binary32
[[ $(grep -v '^#' out | grep -c '^0x1\..*p+0$') -ge 45 ]] || fail "not of the range"
printf '0x1.fp+0\n0x1.8p+0\n' >two.wc
succeeds sample exp two.wc --count 8 --seed 5
grep -q ': 2 of a list, 2 at which' out || fail "the list is not taken"
succeeds sample atan --format binary16 --count 100000
grep -q 'arguments: no more were found$' err || fail "not said that there are fewer"

refuses 2 'no function given' sample
refuses 2 '--count must be an integer from 1 to 10000000' sample exp --count 0
refuses 2 '--from and --to belong together' sample exp --from 1
refuses 2 'log has no values in the range' sample log --from -2 --to -1
refuses 2 'name the same file' sample exp --wc same --bin same
printf '0x1.00000001p+0\n' >fine.wc
refuses 2 'is not a number of binary32' sample exp fine.wc --format binary32
