#!/usr/bin/env bash
# tmd libm --all: every argument of a range or of a short format, with planted faults and without.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

: "${TMD_WRONG_LIBRARY:?the library that is wrong at some arguments}"
all() { # FUNCTION SYMBOL FORMAT [OPTION ...]
  succeeds libm "$1" --all --library "$TMD_WRONG_LIBRARY" --symbol "$2" --format "$3" --timeout 1 "${@:4}"
  [[ ! -s err ]] || fail "something on stderr"
}
said() { grep -qE "$1" out || fail "not said: $1"; }

# 2^20 arguments, of which six are wrong, and all but these are called.
all sqrt tmd_wrong_sqrtf binary32 --from 1 --to 1.125 --json found.jsonl
said '^nearest +1048576 +1 +2 +[0-9.]+ ulp  0x1\.02p\+0$'
said '^upward +1048576 +2 +1 '
said '^downward +1048576 +1 +1 '
said '^misrounded 0x1\.01p\+0 upward: '
said '^misrounded 0x1\.02p\+0 toward-zero: '
said '^crash +0x1\.03p\+0 downward: it was ended by signal 11 '
said '^hang +0x1\.04p\+0 nearest: it did not return$'
said '^environment 0x1\.05p\+0 upward: it changed the rounding direction$'
[[ $(grep -c '^environment' out) -eq 3 ]] || fail "not three directions are changed to nearest"
said '^output +0x1\.06p\+0 nearest: it wrote to standard output$'
said '^not correctly rounded$'
# Four of five misrounded results err by some ulps.
all sqrt tmd_wrong_sqrtf binary32 --from 1 --to 1.125 --histogram --wc failing.wc
[[ $(grep -c '^0x' failing.wc) -eq 6 ]] || fail "not six failing arguments in the list"
said '^4 to 16 ulp +1 +1 +1 +1$'
[[ $(sed -n '/^misrounded by bits/,/^not/p' out | awk '/^[0-9]/ { sum += $2 + $3 + $4 + $5 } END { print sum }') -eq 5 ]] ||
  fail "not five misrounded results by bits"
# The errors are MPFR's, whatever polynomials said.
echo 0x1.02p+0 >one
succeeds libm sqrt one --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_sqrtf --format binary32
error=$(awk '$1 == "nearest" { print $5 }' out)
grep -q "\"kind\":\"misrounded\",\"x\":\"0x1.02p+0\",\"rounding\":\"nearest\",.*\"error\":$error" found.jsonl ||
  fail "another error than with a list"
grep -q '"type":"summary",.*"arguments":1048576,"not_called":0,"no_value":0,"undecided":0,"faults":17,"correct":false' found.jsonl ||
  fail "not 17 faults in the summary"

# Promises: four arguments have wrong results or none, of which two crash or hang and one errs by eight ulps.
for promise in "correct 4 0x1.01p+0" "2.0 3 0x1.02p+0"; do
  read -r text broken x <<<"$promise"
  tmd libm sqrt --all --library "$TMD_WRONG_LIBRARY" --symbol tmd_wrong_sqrtf --format binary32 --timeout 1 --from 1 \
    --to 1.125 --promise "$text"
  [[ $status -eq 4 ]] || fail "promise $text: status $status"
  grep -qxF "promise $text: broken at $broken arguments, the least of them $x" out || fail "promise $text: not $broken"
done

all sqrt tmd_right_sqrtf binary32 --from 1 --to 1.125 --promise correct --json found.jsonl
said '^promise correct: kept$'
said '^nearest +1048576 +0 +0 +-?0\.4999[0-9]+ ulp '
said '^correctly rounded: proven for 1048576 arguments in every direction$'
[[ $(grep -c '"type":"fault"' found.jsonl) -eq 0 ]] || fail "the right twin has a fault"
# Exact values, subnormal ones, and what lies outside the domain.
all sqrt tmd_right_sqrtf binary32 --from -0x1p-148 --to 0x1p-140
said '^correctly rounded: proven for 514 arguments in every direction$'

# The whole of a short format: two zeros, infinities, and what is not a number must stay so.
if libm=$("$TMD" libm sqrt --all --library "$TMD_WRONG_LIBRARY" --symbol tmd_right_sqrtf16 --format binary16 2>&1); then
  [[ $libm == *'correctly rounded: proven for 65536 arguments in every direction'* ]] || fail "the right twin is wrong"
  all sqrt tmd_wrong_sqrtf16 binary16
  said '^nearest +65536 +31744 +0 +inf ulp '
  said '^misrounded -0x[0-9a-f.]+p[-+][0-9]+ nearest: -0x[0-9a-f.]+p[-+][0-9]+ instead of nan, inf ulp$'
elif [[ $libm != *"has no function"* && $libm != *"C compiler has no type"* ]]; then
  fail "binary16: $libm"
fi

refuses 2 "--all has no effect with LIST" libm sqrt list --all --library libm.so.6
refuses 2 "--bits has no effect with --all" libm sqrt --all --bits 20 --library libm.so.6 --format binary32
refuses 2 "binary64 has too many numbers to call a function at all of them" libm sqrt --all --library libm.so.6
refuses 2 "has no function 'nothing'" libm sqrt --all --library libm.so.6 --symbol nothing --format binary32
