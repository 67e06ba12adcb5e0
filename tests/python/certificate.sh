#!/usr/bin/env bash
# Certificates of a whole format and of the demo hold, and each fault that is planted in one is named. Arb for Python
# comes from pip's index, unless it is installed.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
python=python3
if ! "$python" -c 'import flint' 2>/dev/null; then
  "$python" -m venv environment >log 2>&1 || skip "no module venv of Python (package python3-venv)"
  timeout 120 environment/bin/pip install --quiet --disable-pip-version-check python-flint >log 2>&1 ||
    skip "pip cannot get python-flint: $(tail -n 1 log)"
  python=environment/bin/python
fi

# check STATUS ARGUMENT...: runs the checker, and leaves its output in `out`.
check() {
  local expected=$1
  status=0
  PYTHONPATH=$TMD_TESTS/../python timeout 300 "$python" -B -m tmd.check_certificate "${@:2}" >out 2>err || status=$?
  [[ $status -eq $expected ]] || fail "${*:2}: status $status, not $expected"
}
holds() {
  check 0 "$@"
  grep -qx 'nothing wrong' out || fail "$*: not without a fault"
}

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
succeeds search exp --format binary16 --bits 10 --quiet --json "$PWD/exp.jsonl" --wc "$PWD/exp.wc"
holds exp.jsonl --arguments 70000
grep -q '63487 arguments of 63487 in parts evaluated' out || fail "not every argument of binary16 was evaluated"
grep -qx 'ok      22 arguments in no part; MPFR alone has decided 22' out || fail "not those that MPFR alone has decided"
succeeds search exp --from 1 --to 0x1.0008p+0 --argument-precision 54 --rounding directed --bits 33 --quiet --json "$PWD/demo.jsonl"
holds demo.jsonl --arguments 20000 --seed 7
grep -qx 'seed 7' out || fail "the seed is not said"
succeeds search exp --from 1 --to 0x1.00001p+0 --bits 28 --audit 0.5 --quiet --json "$PWD/audited.jsonl"
holds audited.jsonl --arguments 5000
grep -qE '^searched again by the [a-z]+ test: [0-9]+ arguments, seed [0-9]+$' out || fail "nothing of the audit"
for function in cbrt tanpi lgamma pown:-2 compound:5 rootn:-3; do
  succeeds search $function --format binary16 --bits 10 --quiet --no-journal --json "$PWD/$function.jsonl"
  holds $function.jsonl --arguments 3000
done
# Where the planner takes a line for a polynomial, whatever the device's speeds are.
succeeds search tanpi --format binary16 --bits 10 --algorithm lefevre --quiet --no-journal --json "$PWD/lines.jsonl"
grep -q '"degree":1,"words":[0-9]*,"domain_bits":8' lines.jsonl || fail "no polynomial of degree 1"
holds lines.jsonl --arguments 3000

grep -v '"type":"\(case\|exact\)"' exp.jsonl >certificate.jsonl # and the list beside it
holds certificate.jsonl --list exp.wc --arguments 70000

# Lists of one engine each: which parts it takes does not depend on the device's speeds.
for engine in lefevre wide; do
  succeeds search exp --format binary16 --bits 10 --algorithm $engine --quiet --json "$PWD/$engine.jsonl"
  holds $engine.jsonl --arguments 300
done
kept=$(sed -n 's/^ok  *\([0-9]*\) candidates of the wide test were evaluated of \1 that it kept$/\1/p' out)
[[ $kept -gt 0 ]] || fail "the wide test kept nothing"
engine=lefevre
# faulty NAME SENTENCE CHANGE [ARGUMENTS]: CHANGE is a statement of Python that changes `search`, `summary`, or the list
# `found` of case records. ARGUMENTS: how many have to be evaluated until the fault is seen, if not only few.
faulty() {
  python3 - "$3" "$engine.jsonl" >"$1.jsonl" <<'END' || fail "$1: no such change"
import json, sys
records = [json.loads(line) for line in open(sys.argv[2])]
search, summary = records[0], records[-1]
ledger = search["ledger"]
part = next(part for part in ledger if part["first"] == "-0x1p-6")
ranges = [record for record in records if record["type"] == "range"]
found = [record for record in records if record["type"] in ("case", "exact", "undecided")]
cases = [record for record in found if record["type"] == "case"]
exec(sys.argv[1])
for record in [search, *found, *ranges, summary]:
    print(json.dumps(record, separators=(",", ":")))
END
  check 4 "$1.jsonl" --arguments "${4:-1000}"
  grep -q "^FAILED  $2" out || fail "$1 is not seen"
  tail -n 1 out | grep -q 'failure' || fail "$1: no count of failures"
}
faulty gap '1046 arguments in no part; MPFR alone has decided 22$' 'ledger.remove(part)'
faulty overlap '75 parts, 1 of which overlap$' 'part["last"] = "-0x1.004p-5"'
faulty beyond '75 parts, 1 of which reach beyond the range$' 'search["to"] = "0x1p+15"'
faulty count '70 cases; counted 69$' 'found.remove(cases[3])'
faulty missing '.* is hard by its ball, and none by the list$' 'found.remove(cases[3]); summary["cases"] -= 1' 70000
faulty added '0x1.8p-1 is none by its ball, and hard by the list$' \
  'found.append(dict(cases[3], x="0x1.8p-1")); summary["cases"] += 1' 70000
faulty bits '.* bits by its ball, and .* by the list$' 'cases[3]["bits"] += 0.001'
faulty proven '-0x1.* is hard by its ball, and none by the list$' 'ledger.remove(part)
ranges.append({"type": "range", "first": part["first"], "last": part["last"], "arguments": "1024", "cases": "none"})
summary["none_in_ranges"] = str(int(summary["none_in_ranges"]) + 1024)
found[:] = [case for case in found if not -(2**-5) < float.fromhex(case["x"]) <= -(2**-6)]
summary["cases"] -= len(records) - 2 - len(found) - len(ranges) + 1' 70000
engine=wide faulty stage "$kept candidates of the wide test were evaluated of $((kept + 1)) that it kept$" \
  'summary["wide_groups"]["survivors"] += 1'
faulty epsilon '-0x1p-6 to -0x1.ffcp-6: ε is less than 2^-K$' 'part["epsilon"] /= 2'
faulty taylor "-0x1p-6 to -0x1.ffcp-6: its bound 'taylor' is" 'part["taylor"] /= 1.1'
faulty truncation1 "-0x1p-6 to -0x1.ffcp-6: its bound 'truncation1' is" 'part["truncation1"] /= 1.1'
faulty truncation2 "-0x1p-6 to -0x1.ffcp-6: its bound 'truncation2' is" 'part["truncation2"] /= 1.1'
faulty sum "-0x1p-6 to -0x1.ffcp-6: 'phase1' is less than its terms$" 'part["phase1"] /= 1.01'
faulty binade '-0x1p-6 to -0x1.ffcp-6: f is not in its output binade$' 'part["output_binade"] += 1'

# Files that are no certificates are refused.
refused() {
  check 2 "$@"
  [[ $(grep -c '' err) -eq 1 ]] || fail "$*: not one sentence"
}
head -n 1 exp.jsonl >cut.jsonl
refused cut.jsonl
sed 's/0x1p-12/0x1p-12x/' exp.jsonl >damaged.jsonl
refused damaged.jsonl
refused exp.wc
refused nothing.jsonl
sed '1s/"function":"exp"/"function":"exp(x)+x"/' exp.jsonl >other.jsonl
refused other.jsonl
