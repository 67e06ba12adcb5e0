#!/usr/bin/env bash
# A function without a range: its domain, symmetry, ranges of cases, left-out arguments, and a dry run.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

# A dry run needs no device; without one it does not know how long a search takes.
export OCL_ICD_VENDORS=$scratch/none

# One end of the range is given, or none.
succeeds search exp --format binary16 --dry-run
grep -qE '^  time +not known: ' out || fail "a time without a device"
grep -qF "exp on [-0x1.ffcp+15, 0x1p+16), binary16 with arguments of 11 bits, breakpoints: all, values as the format has them, K = 3" out ||
  fail "the whole of binary16 is not exp's range"
succeeds search exp --format binary16 --from 1 --dry-run
grep -qF "exp on [1, 0x1p+16)" out || fail "--from alone does not end with the format"
succeeds search log --format binary16 --to 1 --dry-run
grep -qF "log on [0x1p-24, 1)" out || fail "--to alone does not begin with the domain"
succeeds search exp --from 1 --to 2 --dry-run
if grep -q "values as the format" out; then fail "a range has values of the format"; fi
succeeds search exp --from 1 --to 2 --values format --dry-run
grep -q "values as the format" out || fail "--values format has no effect"

# Symmetry.
succeeds search sin --format binary16 --dry-run
grep -qF "sin on [0x0p+0, 0x1p+16)" out || fail "both signs of an odd function"
succeeds search sin --format binary16 --no-symmetry --dry-run
grep -qF "sin on [-0x1.ffcp+15, 0x1p+16)" out || fail "--no-symmetry has no effect"

# A domain of binary64 is proven and estimated within seconds.
succeeds search sin --dry-run
grep -qE "in ranges of which every one is a case" out || fail "sin: no range of cases"
if grep -q "left out" out; then fail "sin: something is left out"; fi
succeeds search 'sin(2*x)' --dry-run
grep -qE "left out .*PARTIAL" out || fail "sin(2*x): nothing is left out"

unset OCL_ICD_VENDORS
tmd devices
grep -q "usable  *yes" out || skip "no usable device"

succeeds search exp --from 1 --to 1.25 --dry-run
grep -qE '^  time +about [0-9d: ]+ on .*, by what parts of it take$' out || fail "no time"

# exp below 2^-30, 1034 binades of it: one range.
succeeds search exp --from 0x1p-1074 --to 0x1p-60 --wc exp.wc --json exp.jsonl
grep -qE '^\[0x1p-1074, 0x1\.fffffffffffffp-98\]: [0-9]+ arguments, every one a case: f\(x\) > 0x0p\+0\*x \+ 0x1p\+0, a representable number$' out ||
  fail "exp: no range of cases beside 1"
grep -qE '^0 hard-to-round cases, 0 exact cases; ([0-9]+) of \1 arguments covered' out || fail "exp: not all covered"
grep -q '^# Range \[0x1p-1074, ' exp.wc || fail "exp.wc has no range"
grep -q '"type":"range".*"cases":"all","rule":{"slope":"0x0p+0","offset":"0x1p+0"},"side":"above"' exp.jsonl ||
  fail "exp.jsonl has no range"

# Odd, whole, in binary16; and both signs, which are the same.
succeeds search asinh --format binary16 --bits 6 --wc half.wc
grep -q "; x >= 0 only: f(-x) = -f(x)$" out || fail "asinh: symmetry is not told"
succeeds search asinh --format binary16 --bits 6 --no-symmetry --wc both.wc
grep -v '^#' half.wc >half
grep -v '^#' both.wc | grep -v '^-' >positive
grep -v '^#' both.wc | sed -n 's/^-//p' >negative
[[ -s half ]] || fail "asinh has no cases"
sort half | cmp -s - <(sort positive) || fail "asinh: other cases without symmetry"
sort half | cmp -s - <(sort negative) || fail "asinh: the cases of x < 0 are others"

# Cases are sorted by argument; exact cases are comments.
succeeds search asinh --format binary16 --bits 6 --wc ordered.wc --order argument
grep -v '^#' ordered.wc >ordered
sort -g -c ordered || fail "--order argument: not in that order"
cmp -s <(sort ordered) <(sort half) || fail "--order argument: other cases"
grep -qx '# Exact: 0x0p+0' half.wc || fail "asinh.wc does not name its exact case"
refuses 2 "unknown order 'first'" search asinh --format binary16 --order first

# Left-out arguments are named.
tmd search 'sin(2*x)' --format p24 --argument-precision 24 --from 0x1p+40 --bits 20 --wc sin.wc --json sin.jsonl
[[ $status -eq 1 ]] || fail "sin(2x) of large arguments: status $status, not 1"
grep -q '^PARTIAL: \[0x1p+40, ' out || fail "what was left out is not named"
grep -q '"partial":true' sin.jsonl || fail "sin.jsonl is not partial"
grep -q '^# Partial' sin.wc || fail "sin.wc is not partial"
