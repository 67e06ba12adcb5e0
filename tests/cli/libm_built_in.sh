#!/usr/bin/env bash
# tmd libm --built-in: a device's functions of OpenCL C, compared with the errors that the specification allows.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

refuses 2 "--library has no effect with --built-in" libm exp --built-in --library libm.so.6
refuses 2 "--flags has no effect with --built-in" libm exp --built-in --flags
refuses 2 "--build-options has no effect without --built-in" libm exp --library libm.so.6 --build-options -w
refuses 2 "--device has no effect with --scan" libm exp --library libm.so.6 --scan --device 0

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
said() { grep -qE "$1" out || fail "not said: $1"; }
part=(--format binary32 --all --from 1 --to 1+2^-10)

succeeds libm exp --built-in "${part[@]}" --json found.jsonl
said '^nearest +8192 +[0-9]+ +0 '
said '^promise 3: kept$'
! grep -q '^upward' out || fail "called in a direction that it does not round in"
grep -qE '"library":null,"symbol":"exp","device":"[^"]+","build_options":"","format":"binary32"' found.jsonl || fail "no device in the record"
# Another function in its place breaks the promise.
tmd libm exp --built-in "${part[@]}" --build-options -DTMD_FUNCTION=expm1
[[ $status -eq 4 ]] || fail "a wrong function has status $status"
said '^promise 3: broken at 8192 arguments, the least of them 0x1p\+0$'
succeeds libm exp --built-in "${part[@]}" --symbol half_exp
said '^promise 8192: kept$'
for options in "--symbol native_exp" "--build-options -cl-fast-relaxed-math"; do
  # shellcheck disable=SC2086
  succeeds libm exp --built-in "${part[@]}" $options
  ! grep -q '^promise' out || fail "a promise that OpenCL does not make: $options"
done
tmd libm sqrt --built-in "${part[@]}" --build-options -cl-fp32-correctly-rounded-divide-sqrt
said '^promise correct: '
succeeds libm sqrt --built-in "${part[@]}"
said '^promise 3: kept$'
refuses 2 "OpenCL C has no function 'native_erf'; --symbol names another" libm erf --built-in "${part[@]}" --symbol native_erf
refuses 2 "OpenCL C has no function 'exp2m1'; --symbol names another" libm exp2m1 --built-in "${part[@]}"
refuses 2 "OpenCL C has no function 'exp -w'; --symbol names another" libm exp --built-in "${part[@]}" --symbol 'exp -w'
refuses 2 "does not support numbers of that format" libm exp --built-in --format binary80 --calls 1000

# The results of sincos.
for function in sin cos; do
  succeeds libm $function --built-in "${part[@]}" --symbol sincos
  said '^promise 4: kept$'
done
# A crash of the driver costs the arguments of one work-group.
if "$TMD" devices --json - 2>/dev/null | grep -q '"class":"cpu"'; then
  python3 -c 'print(*[f"{x}" for x in range(1, 201)], sep="\n")' >list
  tmd libm sqrt list --built-in --format binary32 --device cpu --json found.jsonl \
    --build-options '-DTMD_FUNCTION(x)=(x==5?arguments[1L<<44]:sqrt(x))'
  [[ $status -eq 4 ]] || fail "a crash has status $status"
  said '^crash +0x1\.4p\+2 nearest: it was ended by signal 11 '
  [[ $(grep -c '"kind":"crash"' found.jsonl) -eq 64 ]] || fail "not one work-group was lost"
fi

# Double by samples, if the device has it; a list.
if grep -q cl_khr_fp64 <("$TMD" devices --json - 2>/dev/null); then
  tmd libm log2 --built-in --seed 1 --calls 10000
  said '^promise 3: (kept|broken)'
fi
printf '%s\n' 1 2 4 >list
succeeds libm sqrt list --built-in --format binary32
said '^nearest +3 +0 +0 '
