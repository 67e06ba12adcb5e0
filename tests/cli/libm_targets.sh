#!/usr/bin/env bash
# tmd libm on other targets than scalar functions of a library: a command, a function of vectors.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

said() { grep -qE "$1" out || fail "not said: $1"; }

# A program with planted faults, which keeps its output until it has much of it, as Python does, or does not.
cat >wrong.py <<'END'
import math, os, signal, sys, time
for line in sys.stdin:
    x = float.fromhex(line.split()[0])
    if x == 5:
        os.kill(os.getpid(), signal.SIGSEGV)
    if x == 7:
        time.sleep(1000)
    if x == 11:
        raise ValueError("eleven")
    y = math.sqrt(x) if x >= 0 else math.nan
    print("nothing" if x == 9 else (y + 2.0**-50).hex() if x == 3 else y if x == 2 else y.hex(), flush="flush" in sys.argv)
    if x == 13:
        print("more")
END
printf '%s\n' -1 0 0x1.8p+0 2 3 4 5 6 7 8 9 10 11 12 13 14 0x1p-1030 15 >list
for flush in "" flush; do
  succeeds libm sqrt list --command "python3 wrong.py $flush" --timeout 1 --json found.jsonl
  said '^nearest +18 +1 +5 '
  said '^crash +0x1\.4p\+2 nearest: it was ended by signal 11 '
  said '^crash +0x1\.6p\+3 nearest: it ended with status 1: ValueError: eleven$'
  said '^hang +0x1\.cp\+2 nearest: it did not return$'
  said "^unreadable 0x1\.2p\+3 nearest: it wrote 'nothing'$"
  said '^unreadable 0x1\.ap\+3 nearest: it wrote more lines than it was given$'
  said '^misrounded 0x1\.8p\+1 nearest: '
  ! grep -q '^upward' out || fail "called in a direction that it does not round in"
done
grep -q '"function":"sqrt","library":null,"symbol":null,"command":"python3 wrong.py flush"' found.jsonl || fail "no command in the record"
grep -q '"kind":"unreadable","x":"0x1.2p+3","rounding":"nearest","result":null,' found.jsonl || fail "no record of an unreadable line"
[[ $(tail -n 1 found.jsonl | grep -o '"rounding"' | wc -l) -eq 1 ]] || fail "not one direction in the summary"

# It rounds in the direction that it reads: halves, which are exact or ties.
cat >direction.py <<'END'
import math, sys
for line in sys.stdin:
    x, direction = line.split()
    x = float.fromhex(x)
    up = {"nearest": False, "upward": x > 0, "downward": x < 0, "toward-zero": False}[direction]
    print(math.nextafter(x, 2 * x).hex() if up else x.hex())
END
printf '%s\n' 0x1p-30 -0x1p-30 0 >tiny
succeeds libm sinh tiny --command "python3 direction.py" --directions
for direction in nearest upward downward toward-zero; do said "^$direction +3 +0 +0 "; done
succeeds libm sin tiny --command "python3 direction.py" --directions
said '^upward +3 +2 +0 '

# All numbers of a short format, and of a range.
cat >half.py <<'END'
import math, sys
for line in sys.stdin:
    x = float.fromhex(line)
    y = math.sqrt(x) if x >= 0 else math.nan
    print(y.hex() if x != 1.015625 else "0x1.04p+0")
END
succeeds libm sqrt --all --format binary16 --command "python3 half.py"
said '^nearest +65536 +1 +0 '
said '^misrounded 0x1\.04p\+0 nearest: 0x1\.04p\+0 instead of 0x1\.02p\+0, '
succeeds libm sqrt --all --format binary32 --from 2 --to 0x1.001p+1 --command "python3 half.py"
said '^correctly rounded: proven for 2048 arguments to nearest$'

# A function of vectors: a crash or a hang costs all arguments that were called together; the last call is filled up.
: "${TMD_WRONG_LIBRARY:?the library that is wrong at 3, 5, 7 and 9}"
printf '%s\n' 1 2 4 3 6 5 7 8 10 11 12 >list
succeeds libm recip list --library "$TMD_WRONG_LIBRARY" --symbol tmd_pair_of_recips --lanes 2 --timeout 1 --json found.jsonl
said '^nearest +11 +1 +4 .* ulp  0x1\.8p\+1$'
grep -q '"kind":"misrounded","x":"0x1.8p+1","rounding":"nearest",' found.jsonl || fail "3 is not misrounded"
for x in 0x1.8p.2 0x1.4p.2; do said "^crash +$x upward: it was ended by signal 11 "; done
for x in 0x1.cp.2 0x1p.3; do said "^hang +$x upward: it did not return\$"; done
for x in 0x1.4p+3 0x1.6p+3; do
  grep -qF "\"kind\":\"environment\",\"x\":\"$x\",\"rounding\":\"downward\"" found.jsonl || fail "$x: not a change of direction"
done
[[ $(grep -c '^crash' out) -eq 8 && $(grep -c '^hang' out) -eq 8 ]] || fail "not two arguments lost by each call"
grep -q '"symbol":"tmd_pair_of_recips","lanes":2,' found.jsonl || fail "no lanes in the record"
refuses 2 "vectors of 3 numbers of 8 bytes are not supported" libm exp list --library libm.so.6 --lanes 3
refuses 2 "vectors are of binary32 or binary64, not of binary80" libm exp list --library libm.so.6 --lanes 2 --format binary80
refuses 2 "--flags has no effect with --lanes" libm exp list --library libm.so.6 --lanes 2 --flags

# A function of glibc, whose name is derived.
if grep -q avx2 /proc/cpuinfo && "$TMD" libm exp list --library libmvec.so.1 --lanes 4 >out 2>err; then
  for format in "binary64 4 _ZGVdN4v_exp" "binary32 8 _ZGVdN8v_expf"; do
    read -r name lanes symbol <<<"$format"
    succeeds libm exp --library libmvec.so.1 --format "$name" --lanes "$lanes" --seed 1 --calls 40000 --promise 4.0 --nearest
    said "^$symbol of libmvec.so.1, $name, samples"
    said '^promise 4.0: kept$'
    ! grep -q '^upward' out || fail "called in another direction than to nearest"
  done
fi

# Functions with two results: FUNCTION decides which is tested, or --result.
for format in "binary64 sincos" "binary32 sincosf" "binary80 sincosl"; do
  read -r name symbol <<<"$format"
  for which in "sin first" "cos second"; do
    read -r function result <<<"$which"
    succeeds libm "$function" --library libm.so.6 --symbol "$symbol" --format "$name" --seed 1 --calls 20000 --promise 2.0 --json found.jsonl
    said "^$symbol of libm.so.6, $name, its $result result, samples"
    said '^promise 2.0: kept$'
    grep -q "\"symbol\":\"$symbol\",\"result\":\"$result\"," found.jsonl || fail "no result in the record"
  done
done
tmd libm sin --library libm.so.6 --symbol sincos --result second --seed 1 --calls 20000 --promise 2.0
[[ $status -eq 4 ]] || fail "cos is no sin, but has status $status"
succeeds libm sin --library libm.so.6 --seed 1 --calls 20000 --against libm.so.6:sincos
said '^against sincos of libm.so.6, binary64, its first result'
refuses 2 "sincos returns sin and cos, not exp" libm exp --library libm.so.6 --symbol sincos
refuses 2 "--result must be first, second or value, not 'both'" libm sin --library libm.so.6 --symbol sincos --result both
refuses 2 "--result has no effect with --command" libm sin --command cat --result first

refuses 2 "cannot run the command: it ended with status 127: " libm sqrt list --command ./none
refuses 2 "--library has no effect with --command" libm sqrt list --command cat --library libm.so.6
refuses 2 "--directions has no effect without --command" libm sqrt list --library libm.so.6 --directions
