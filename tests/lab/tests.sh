#!/usr/bin/env bash
# tmd-lab phase1, polynomials and divergence: they measure the existence tests, also where a search would choose another
# method.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
TMD=$TMD_LAB

"$TMD_PROGRAM" devices >out
grep -q "usable  *yes" out || skip "no usable device"
range=(exp --from 1 --to 0x1.001p+0)

for measurement in phase1 polynomials divergence; do
  refuses 2 "unknown existence test 'wide'" $measurement "${range[@]}" --algorithm wide
  succeeds $measurement --help
  grep -qE -- '--algorithm NAME +existence test: regular, lefevre,' out || fail "$measurement --help: not which tests there are"
  tail -n 1 out | grep -qE '^ +-h, --help' || fail "$measurement --help: options behind --help"
done
refuses 2 "unknown option '--algorithm'" phase "${range[@]}" --algorithm wide
succeeds phase1 "${range[@]}" --domains 4096 --repeats 1 --json phase1.jsonl
for test in regular lefevre lefevre-plain lefevre-swap; do
  for division in native subtract hybrid reciprocal; do
    grep -qE "^  $test +$division +2\^[0-9]+ +[0-9.]+e\+[0-9]+ +[0-9.]+" out || fail "phase1: no $test by $division"
  done
done
[[ $(grep -c '"type":"phase1"' phase1.jsonl) -eq $(grep -cE '^  (regular|lefevre)' out) ]] || fail "phase1: not a record a row"
if grep -q '"domains_per_second":0.0' phase1.jsonl; then fail "phase1: nothing was timed"; fi

succeeds polynomials "${range[@]}" --domains 4096 --json polynomials.jsonl
grep -qE '^coefficients of 4096 domains of 2\^[0-9]+ arguments on ' out || fail "polynomials: it is not said of what"
for step in 'plan of an interval, host' 'coefficients by the host, 1 thread' \
  'shift and walk on the device' 'phase 1, which reads them'; do
  grep -qE "^  $step +[0-9.]+e[-+][0-9]+ s +[0-9.]+e\+[0-9]+ domains/s" out || fail "polynomials: no step '$step'"
  grep -qF "\"step\":\"$step\"" polynomials.jsonl || fail "polynomials: no record of '$step'"
done

# The NMDM grows with the SIMD width, because a group waits for the longest of more tests; its name is spelled out.
succeeds divergence "${range[@]}" --json divergence.jsonl
grep -qF 'exp on [1, 0x1.001p+0), regular test' out || fail "divergence: it is not said of which test"
grep -qE '^  tests +[1-9][0-9]*$' out || fail "divergence: no tests were counted"
grep -q "NMDM (normalized mean deviation to the maximum)" out || fail "divergence: NMDM is not spelled out"
sed -n 's/^  NMDM, width [0-9]* *\([0-9.]*\) %$/\1/p' out >nmdm
[[ $(wc -l <nmdm) -ge 2 ]] || fail "divergence: no NMDM by width"
if grep -qx 0.00 nmdm; then fail "divergence: an NMDM of 0"; fi
sort -C -n nmdm || fail "divergence: the NMDM does not grow with the width: $(paste -sd' ' nmdm)"
grep -q '"nmdm":{' divergence.jsonl || fail "divergence: no NMDM in the record"
succeeds divergence --help
grep -q "normalized mean deviation to the maximum" out || fail "tmd-lab divergence --help: NMDM is not spelled out"
