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
succeeds show exp -1000000
rounds nearest '0x0p\+0'
rounds upward '0x1p-1074'
grep -qE '^  place +underflow$' out || fail "exp(-10^6) is no underflow"
succeeds show recip -- -0x1.8p+1023
rounds nearest '-0x1.5555555555554p-1024'
grep -qE '^  place +subnormal$' out || fail "1/x is not subnormal at -0x1.8p+1023"
succeeds show 'x^2-2' 0x1.8p+0 --format binary16
rounds nearest '0x1p-2'

refuses 2 "no function given" show
refuses 2 "no argument given" show exp
refuses 2 "X: 0.1 is not a number of binary64 with 53 bits; the nearest is 0x1.999999999999ap-4" show exp 0.1
refuses 2 "log has no value at -0x1p+0" show log -1
refuses 2 "unknown function 'exq'" show exq 1
