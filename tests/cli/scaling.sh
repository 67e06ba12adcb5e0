#!/usr/bin/env bash
# A period or a scaling decides arguments: the cases are those of a search of all arguments.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# decides FUNCTION FACTOR ARGUMENT...: every argument of binary16 must be searched, or lead to one that is, by powers of
# the factor (by integers for a period, which FACTOR 0 means), which is a case, an exact case or neither as it is.
decides() {
  local function=$1 factor=$2
  shift 2
  succeeds search "$function" "$@" --quiet --no-journal --json some.jsonl
  tmd search "$function" "$@" --no-symmetry --quiet --no-journal --json all.jsonl
  [[ $status -eq 0 ]] || fail "$function --no-symmetry: status $status"
  python3 - "$function" "$factor" <<'PYTHON' || exit 1
import bisect, json, math, sys

def read(name):
    found, ranges, head = {}, [], None
    for line in open(name):
        record = json.loads(line)
        if record["type"] == "search":
            head = record
        elif record["type"] in ("case", "exact", "undecided"):
            found[float.fromhex(record["x"])] = (record["type"], record.get("bits"), record["breakpoint"])
        elif record["type"] == "range" and record["cases"] != "none":
            ranges.append(record)
    return found, ranges, head

some, some_ranges, head = read("some.jsonl")
full, full_ranges, full_head = read("all.jsonl")
factor = int(sys.argv[2])
if head["scaling"] is None or full_head["scaling"] is not None or full_head["decisive"] is not None:
    sys.exit(f"FAILED: {sys.argv[1]}: scaling {head['scaling']}, without symmetry {full_head['scaling']}")
decisive = sorted(tuple(map(float.fromhex, one)) for one in head["decisive"])
firsts = [first for first, last in decisive]
if any(last > first for (_, last), first in zip(decisive, firsts[1:])):
    sys.exit(f"FAILED: {sys.argv[1]}: ranges that overlap are said to decide")

def is_searched(x):
    place = bisect.bisect_right(firsts, x) - 1
    return place >= 0 and x < decisive[place][1]

# How far decisive arguments are from 0, as powers of the factor: of others there is no need to ask.
ends = [abs(end) for one in decisive for end in one]
least, most = (math.log(end, factor or 2) if end else -math.inf for end in (min(ends), max(ends)))

def others(x):
    if factor == 0:
        return [x - math.floor(x)]
    place = math.log(abs(x), factor)
    return [x * float(factor) ** k for k in range(max(-40, math.floor(least - place) if least > -math.inf else -40),
                                                  min(40, math.ceil(most - place)) + 1)]

def listed(found, ranges, x):
    for one in ranges:
        low, high = sorted((float.fromhex(one["first"]), float.fromhex(one["last"])))
        if low <= x <= high:
            return "range"
    return found.get(x)

wrong = count = cases = followers = 0
signs = (1, -1) if head["symmetry"] is None else (1,)
for significand in range(1, 31 << 10):
    exponent, fraction = significand >> 10, significand & 1023
    for sign in signs:
        x = sign * (fraction * 2.0**-24 if exponent == 0 else (1024 + fraction) * 2.0 ** (exponent - 25))
        if not (float.fromhex(full_head["from"]) <= x < float.fromhex(full_head["to"])):
            continue
        want = listed(full, full_ranges, x)
        searched = [x] if is_searched(x) else list(filter(is_searched, others(x)))
        have = [listed(some, some_ranges, y) for y in searched]
        count += 1
        followers += not is_searched(x)
        cases += want is not None
        if not any("range" in (want, one) or want == one for one in have):
            wrong += 1
            example = (x, want, have)
if wrong or count < 30000 or cases < 50 or followers < 7000:
    sys.exit(f"FAILED: {sys.argv[1]}: {wrong} of {count} wrong, {cases} listed, {followers} follow, {example if wrong else ''}")
PYTHON
}
binary16=(--format binary16 --bits 5)
decides sinpi 0 "${binary16[@]}"
decides cospi 0 "${binary16[@]}" --rounding nearest
decides tanpi 0 "${binary16[@]}" --rounding directed
decides cbrt 8 "${binary16[@]}"
decides sqrt 4 "${binary16[@]}"
decides rsqrt 4 "${binary16[@]}"
decides rootn:5 32 "${binary16[@]}" --values unbounded
# Values leave the format, or their binades have spacings of their own: several ranges decide.
decides recip 2 "${binary16[@]}"
decides pown:3 2 "${binary16[@]}"
decides pown:-2 2 "${binary16[@]}" --rounding nearest
decides log2 2 "${binary16[@]}"
decides exp2 0 "${binary16[@]}"

# Half of a function's range is searched as given.
succeeds search cbrt --format binary16 --bits 10 --from 1 --json cbrt.jsonl
grep -q '"scaling":null' cbrt.jsonl || fail "half of cbrt: a scaling"
# The list and a resumed journal say so, and a check that trusts nothing agrees.
succeeds search cbrt --format binary16 --bits 6 --wc cbrt.wc --json whole.jsonl
grep -qF '; x >= 0 only: f(-x) = -f(x); 0x1p+0 <= x < 0x1p+3 only: f(8 x) = 2 f(x).' cbrt.wc || fail "cbrt.wc: not what decides the rest"
succeeds verify cbrt.wc
succeeds verify whole.jsonl
sed -i '1s/"scaling":"[^"]*"/"scaling":null/' whole.jsonl
refuses_scaling=$("$TMD" verify whole.jsonl 2>&1 || true)
grep -q "uses the scaling" <<<"$refuses_scaling" || fail "verify: a wrong scaling is believed"

# With several ranges, too, shards and a resumed search make up the whole.
recip=(search recip --format binary16 --bits 6)
succeeds "${recip[@]}" --wc recip.wc --json recip.jsonl --reproducible
grep -qF ' or 0x1p+0 <= x < 0x1p+1 or ' recip.wc || fail "recip.wc: not what decides the rest"
succeeds verify recip.wc
succeeds verify recip.jsonl
for shard in 1 2 3; do
  succeeds "${recip[@]}" --shard "$shard/3" --wc "part$shard.wc" --json "part$shard.jsonl"
done
succeeds merge part1.jsonl part2.wc.journal part3.jsonl --json merged.jsonl
succeeds verify merged.jsonl
diff <(grep -E '"type":"(case|exact)"' recip.jsonl) <(grep -E '"type":"(case|exact)"' merged.jsonl) ||
  fail "recip in three parts: other cases"
# An entry that no search would find is not accepted,
sed '/^#/!d' recip.wc >outside.wc
grep -v '^#' recip.wc | sed '$ s/.*/0x1p+3/' >>outside.wc
outside=$("$TMD" verify outside.wc 2>&1 || true)
grep -q "lies outside the range" <<<"$outside" || fail "verify: an argument that follows from others is believed to have been searched"
# nor fewer arguments that decide the rest.
sed '1s/\["0x1p+0","0x1p+1"\],//' recip.jsonl >fewer.jsonl
fewer=$("$TMD" verify fewer.jsonl 2>&1 || true)
grep -q "decide the rest, not" <<<"$fewer" || fail "verify: fewer ranges are believed to decide the rest"
