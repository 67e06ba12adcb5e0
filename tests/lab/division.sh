#!/usr/bin/env bash
# tmd-lab division: figures and records; if an emulation errs, the command fails.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
TMD=$TMD_LAB

succeeds --help
grep -q "|division|" out || fail "tmd-lab --help does not name division"
succeeds division --help
sed 's/\\-/-/g' "$TMD_TESTS/../app/tmd-lab.1" "$TMD_TESTS/../app/tmd.1" >manual
for word in device cpu-mode set repeats division operands seed json; do
  grep -qF -- "--$word" out || fail "tmd-lab division --help does not name --$word"
  grep -qE "Fl Fl $word( |\$)" manual || fail "the manual does not name --$word"
done

refuses 2 "unexpected argument 'exp'" division exp
refuses 2 "unknown division 'guess'; known are native, subtract" division --division guess
for count in 0 -1 many 99999999999; do
  refuses 2 "--repeats must be an integer from 1 to 2000000000, not '$count'" division --repeats "$count"
  refuses 2 "--operands must be an integer from 1 to 2000000000, not '$count'" division --operands "$count"
done
refuses 2 "--seed must be an integer" division --seed -1
refuses 3 "no device fits 'no such device'" division --device "no such device"

"$TMD_PROGRAM" devices >out
grep -q "usable  *yes" out || skip "no usable device"
small=(division --division reciprocal --repeats 10 --operands 100000)
succeeds "${small[@]}" --seed 7 --json files/figures.jsonl
for row in addition multiplication reciprocal; do
  [[ $(grep -cE "^ +$row( +[0-9.e+-]+){4} +[0-9.]+x$" out) -ge 1 ]] || fail "no row $row of four figures"
done
grep -qE "^ +OpenCL, compiler's vectors +94\.2 +39\.9 +2\.4x$" out || fail "the published figures are missing"
for method in newton halley; do
  grep -qE "^ +emulated, $method .* 100000 operands checked, 0 differ" out || fail "no check of $method"
done
[[ $(grep -c '^{"type":"integer-arithmetic",.*"seconds":[0-9.e-]*}$' files/figures.jsonl) -eq 16 ]] ||
  fail "not a record for each of 16 figures"
[[ $(grep -c '^{"type":"fp64-division",.*"operands":100000,"seed":7,.*"mismatches":0}$' files/figures.jsonl) -eq 2 ]] ||
  fail "not a record for each emulation"

# An emulation does not round its quotients.
cp -r "$TMD_TESTS/../cl_kernels" broken
sed -i 's/quotient + half_less_one/quotient/' broken/bench/fp64_division.clh
rm files/figures.jsonl
TMD_KERNEL_PATH=$scratch/broken tmd "${small[@]}" --foreign-kernels --json files/figures.jsonl
[[ $status -eq 4 ]] || fail "a wrong emulation: status $status, not 4"
[[ $(wc -l <err) -eq 1 ]] || fail "a wrong emulation: not one sentence on stderr"
grep -qE '^tmd: .*FP64 division \((newton|halley)\) .*' err || fail "a wrong emulation: not the expected sentence"
no_files
