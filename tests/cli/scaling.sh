#!/usr/bin/env bash
# What a period or a scaling decides: the same cases as a search of all arguments finds.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# decides FUNCTION ADVANCE ARGUMENT...: every argument of the format leads to one that was searched, which is a case, an
# exact case or neither as it is.
decides() {
  local function=$1
  shift
  succeeds search "$function" "$@" --quiet --no-journal --json some.jsonl
  tmd search "$function" "$@" --no-symmetry --quiet --no-journal --json all.jsonl
  [[ $status -eq 0 ]] || fail "$function --no-symmetry: status $status"
  python3 - "$function" <<'PYTHON' || exit 1
import json, math, sys

def read(name):
    found, ranges, head = {}, [], None
    for line in open(name):
        record = json.loads(line)
        if record["type"] == "search":
            head = record
        elif record["type"] in ("case", "exact", "undecided"):
            found[abs(float.fromhex(record["x"]))] = (record["type"], record.get("bits"), record["breakpoint"])
        elif record["type"] == "range" and record["cases"] != "none":
            ranges.append(record)
    return found, ranges, head

some, some_ranges, head = read("some.jsonl")
full, full_ranges, full_head = read("all.jsonl")
first, last = float.fromhex(head["from"]), float.fromhex(head["to"])
if head["scaling"] is None or full_head["scaling"] is not None:
    sys.exit(f"FAILED: {sys.argv[1]}: scaling {head['scaling']}, without symmetry {full_head['scaling']}")
factor = last / first if first > 0 else None

def reduced(x):
    if factor is None:
        return math.fmod(x, 1)
    while x >= last:
        x /= factor
    while x < first:
        x *= factor
    return x

def listed(found, ranges, x):
    for one in ranges:
        low, high = sorted((abs(float.fromhex(one["first"])), abs(float.fromhex(one["last"]))))
        if low <= x <= high:
            return "range"
    return found.get(x)

wrong = count = cases = 0
for significand in range(1, 1 << 15):
    exponent, fraction = significand >> 10, significand & 1023
    x = fraction * 2.0**-24 if exponent == 0 else (1024 + fraction) * 2.0 ** (exponent - 25)
    if exponent == 31 or not (float.fromhex(full_head["from"]) <= x < float.fromhex(full_head["to"])):
        continue
    want, have = listed(full, full_ranges, x), listed(some, some_ranges, reduced(x))
    count += 1
    cases += want is not None
    if want != have and "range" not in (want, have):
        wrong += 1
        example = (x, want, have)
if wrong or count < 30000 or cases < 50:
    sys.exit(f"FAILED: {sys.argv[1]}: {wrong} of {count} wrong, {cases} listed, {example if wrong else ''}")
PYTHON
}
binary16=(--format binary16 --bits 5)
decides sinpi "${binary16[@]}"
decides cospi "${binary16[@]}" --rounding nearest
decides tanpi "${binary16[@]}" --rounding directed
decides cbrt "${binary16[@]}"
decides sqrt "${binary16[@]}"
decides rsqrt "${binary16[@]}"
decides rootn:5 "${binary16[@]}" --values unbounded

# Values of recip leave the format at the ends; half a function is what it says.
succeeds search recip --format binary16 --bits 10 --json recip.jsonl
grep -q '"scaling":null' recip.jsonl || fail "recip: a scaling"
succeeds search cbrt --format binary16 --bits 10 --from 1 --json cbrt.jsonl
grep -q '"scaling":null' cbrt.jsonl || fail "half of cbrt: a scaling"
# The list says so, a journal that is gone on with does, and a check that believes nothing agrees.
succeeds search cbrt --format binary16 --bits 6 --wc cbrt.wc --json whole.jsonl
grep -qF '; x >= 0 only: f(-x) = -f(x); 0x1p+0 <= x < 0x1p+3 only: f(8 x) = 2 f(x).' cbrt.wc || fail "cbrt.wc: not what decides the rest"
succeeds verify cbrt.wc
succeeds verify whole.jsonl
sed -i '1s/"scaling":"[^"]*"/"scaling":null/' whole.jsonl
refuses_scaling=$("$TMD" verify whole.jsonl 2>&1 || true)
grep -q "uses the scaling" <<<"$refuses_scaling" || fail "verify: a wrong scaling is believed"
