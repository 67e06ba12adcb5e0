#!/usr/bin/env bash
# tmd show: the bits around the round bit, the kind, every rounding, the place in the format.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

succeeds show exp 0x1.0000000050418p+0 --bits 22 --json shown.jsonl
[[ ! -s err ]] || fail "something on stderr"
grep -qE '^  value +1\.[01]{52} [01] (0{22}|1{22}) [01]{8}… × 2\^1$' out || fail "not the value's bits"
grep -qE 'distance +22\.0988 bits from a representable number$' out || fail "not the distance"
grep -qE '^ +a 22-bit case$' out || fail "it is a 22-bit case"
grep -qF '"kind":"hard","bits":22.0988,"breakpoint":"representable","negative":false' shown.jsonl || fail "not the record"
succeeds show exp 0x1.0000000050418p+0 --bits 23
grep -qE '^ +no 23-bit case$' out || fail "it is no 23-bit case"
# Further bits of an expression's value are not computed: its hardness is a lower bound.
succeeds show 'log(1+exp(x))' 0x1.62ep+11 --format binary32 --json shown.jsonl
grep -qE 'distance +4071\.0000 bits or more from a representable number$' out || fail "not that it may have more bits"
grep -qF '"bits":4071.0,"breakpoint":"representable","or_more":true,"negative":false' shown.jsonl || fail "no or_more"

# rounds DIRECTION HEX: in `out`.
rounds() { grep -qE "^  $1 +$2\$" out || fail "$1 does not give $2"; }
succeeds show exp 0
rounds upward '0x1p\+0'
grep -q "exact: the value is a representable number" out || fail "exp 0 is exact"
succeeds show exp 800
rounds nearest inf
rounds upward inf
rounds toward-zero '0x1.fffffffffffffp\+1023'
grep -qE '^  place +overflow$' out || fail "exp 800 is no overflow"
# Values too large or small for MPFR have no digits to show.
succeeds show exp 0x1p+73 --json shown.jsonl
rounds nearest inf
rounds toward-zero '0x1.fffffffffffffp\+1023'
grep -qE '^  value +overflows: so large that its digits are not computed$' out || fail "exp 2^73 is not said to overflow"
grep -qF '"significand":null,"round_bit":null,"run":null,"further":null,"exponent":null,"place":"overflow"' shown.jsonl ||
  fail "digits of exp 2^73"
succeeds show exp -0x1p+73
grep -qE '^  value +so near to 0' out || fail "exp(-2^73) has digits"
succeeds show exp -1000000
rounds nearest '0x0p\+0'
rounds upward '0x1p-1074'
grep -qE '^  place +underflow$' out || fail "exp(-10^6) is no underflow"
succeeds show recip -- -0x1.8p+1023
rounds nearest '-0x1.5555555555554p-1024'
grep -qE '^  place +subnormal$' out || fail "1/x is not subnormal at -0x1.8p+1023"
grep -qE '^  underflow +before and after rounding$' out || fail "1/x does not underflow"
# 1 - 2^-54 times the least normal number is half an ulp below it.
succeeds show 'x*0x1.fffffffffffffp-1023' 1 --json shown.jsonl
grep -qE '^  underflow +before and after rounding$' out || fail "53 bits hold it: it underflows after rounding, too"
succeeds show 'x*0x1.fffffffffffff8p-1023' 1 --json shown.jsonl
grep -qE '^  underflow +before rounding; not after rounding nearest, upward$' out || fail "rounding does not bring it out"
grep -qF '"underflow":{"before":true,"after":{"nearest":false,"upward":false,"downward":true,"toward-zero":true}}' \
  shown.jsonl || fail "not that record"

# The nearest number of the format, bits, and a library's result.
succeeds show exp 0.1 --result 0x1.1aec7b35a00d5p+0 --json shown.jsonl
grep -q 'note: 0.1 is not a number of binary64 with 53 bits; 0x1.999999999999ap-4 is the nearest' err || fail "no note"
grep -qE '^  result +0x1.1aec7b35a00d5p\+0: error 1\.367 ulp, not correctly rounded$' out || fail "not the error"
grep -qE '"result":"0x1.1aec7b35a00d5p\+0","error":1\.36[0-9]+\}$' shown.jsonl || fail "not the error in the record"
succeeds show exp 0.1 --result 0x1.1aec7b35a00d3p+0
grep -qE '^  result .*: error -0\.633[0-9]* ulp, correctly rounded downward, toward-zero$' out || fail "not the sign"
succeeds show exp 0x3f7ffff7 --raw --format binary32 --result 0x402df84e
grep -qE '^exp at 0x1.ffffeep-1 \(0x3f7ffff7\), binary32$' out || fail "not the bits"
grep -qE '^  nearest +0x1.5bf09cp\+1 +0x402df84e$' out || fail "not the bits of a value"
refuses 2 "X: nan is not a number that can be shown" show exp 0x7fc00000 --raw --format binary32

# Two variables.
succeeds show pow 0x1.8p+0 2
rounds nearest '0x1.2p\+1'
grep -q 'exact: the value is a representable number' out || fail "1.5^2 is exact"
succeeds show pow 9007199254740991 3 --json shown.jsonl
grep -qF '"x":"0x1.fffffffffffffp+52","y":"0x1.8p+1","kind":"hard"' shown.jsonl || fail "not the operands"
succeeds show hypot 3 4
rounds nearest '0x1.4p\+2'
succeeds show atan2pi -- -0 -0
rounds upward '-0x1p\+0'
succeeds show pow 0 -1 --json shown.jsonl
rounds nearest inf
grep -q '"place":"infinite"' shown.jsonl || fail "not the pole"
succeeds show pow -8 0.3
rounds nearest nan
refuses 2 "pow takes two numbers, x and y" show pow 2
refuses 2 "pow takes two numbers, x and y" show pow 2 3 4
refuses 2 "give y and x after atan2" show atan2
refuses 2 "--result needs exactly one x" show exp 1 2 --result 3
refuses 2 "--raw: p12 has no bits of its own" show exp 0x1 --raw --format p12
succeeds show 'x^2-2' 0x1.8p+0 --format binary16
rounds nearest '0x1p-2'

refuses 2 "no function given" show
refuses 2 "give one or more values of x after the function" show exp
refuses 2 "X: 1e400 is beyond the largest number of binary64" show exp 1e400
refuses 2 "log has no value at -0x1p+0" show log -1
refuses 2 "unknown function 'exq'" show exq 1

# Expressions of x and y: x^y is pow, and others have the values that Arb computes.
succeeds show 'x ^ y' 0x1.8p+1 2 --format binary32
grep -q '^pow at 0x1.8p+1, 0x1p+1, binary32$' out || fail "x^y is not pow"
succeeds show 'exp(x)*y' 0 5 --format binary32
grep -qE '^  nearest +0x1\.4p\+2$' out || fail "the value of exp(0)*5"
refuses 2 "x/y has no value at 0x1p+0, 0x0p+0" show x/y 1 0 --format binary32
refuses 2 "X: inf is not a number that can be shown" show 'x*y' inf 2
refuses 2 "x*y takes two numbers, x and y" show 'x*y' 2
