#!/usr/bin/env bash
# Somebody has changed a value of a journal, and the line's checksum with it: `resume` refuses it in one sentence, or
# ends with the right list all the same.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
command -v python3 >/dev/null || skip "no python3"
tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# Ranges of either kind, parts with hard and exact cases, and nothing left to be done; and a binade of the phase walk.
mkdir whole
succeeds search tanh --format binary16 --bits 6 --quiet --wc whole/parts.wc
succeeds search sin --format p14 --from 0x1p+10 --to 0x1p+11 --algorithm phase --bits 5 --quiet --wc whole/claims.wc
for type in device run range part; do
  grep -q "^{\"type\":\"$type\"," whole/parts.wc.journal || fail "no record $type"
done
grep -q '"cases":"none"' whole/parts.wc.journal && grep -q '"cases":"all"' whole/parts.wc.journal || fail "not ranges of either kind"
grep -q '{"type":"exact"' whole/parts.wc.journal || fail "no exact case"
grep -q '^{"type":"claimed",' whole/claims.wc.journal || fail "no claim"

# edit NAME STEP [RECORDS]: changes values of the journal whole/NAME.wc.journal in the listed ways, in every STEP-th of
# these edits, or in that many of its records. Each value has at least seven edits.
edit() {
  python3 - "$TMD" "$@" <<'PYTHON' || fail "$*: what is wrong stands above"
import concurrent.futures, copy, functools, json, os, re, subprocess, sys, zlib

tmd, name, step = sys.argv[1], sys.argv[2], int(sys.argv[3])
text = open(f"whole/{name}.wc.journal").read().splitlines()[: int(sys.argv[4]) if len(sys.argv) > 4 else None]
records = [json.loads(line) for line in text]
cases_of = lambda file: [line for line in open(file).read().splitlines() if not line.startswith("#")]
expected = cases_of(f"whole/{name}.wc")

def closed(record):
    """The line of a record, with its checksum."""
    body = json.dumps({key: value for key, value in record.items() if key != "crc"}, separators=(",", ":"))[:-1]
    return f'{body},"crc":"{zlib.crc32(body.encode()):08x}"}}\n'

MISSING = object()
# Words of the same kind with another meaning.
OTHERS = {"case": "exact", "exact": "undecided", "undecided": "case", "midpoint": "representable",
          "representable": "midpoint", "none": "all", "all": "none", "above": "below", "below": "above"}

def others(value):
    yield from (MISSING, None, True, -1, 1e300, "x", {})
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from (value + 1, value - 1, 2 * value, 2**64 + value if isinstance(value, int) else -value, str(value))
    elif isinstance(value, str):
        yield from (value + "0", value[:-1])
        if value in OTHERS:
            yield OTHERS[value]
        if found := re.fullmatch(r"(-?0x1)(\.[0-9a-f]+)?p([+-][0-9]+)", value):
            yield f"{found[1]}{found[2] or ''}p{int(found[3]) + 1:+d}"
            yield f"{found[1]}{found[2] or '.'}4p{found[3]}"
            yield "-" + value
    elif isinstance(value, list) and value and not isinstance(value[0], dict):
        yield value + value[:1]

def places(value, path=()):
    """Where values are; of a list of records the first ones and the last."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            if path or key not in ("crc", "seq"):
                yield from places(value[key], path + (key,))
    elif isinstance(value, list):
        few = range(len(value)) if len(value) < 4 else (0, 1, len(value) - 1)
        for i in few:
            yield from places(value[i], path + (i,))

def edited(record, path, value):
    record = copy.deepcopy(record)
    at = record
    for key in path[:-1]:
        at = at[key]
    if value is MISSING:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return record

# Edits the first and the last record of each type.
places_of_type = {}
for number, record in enumerate(records):
    key = record["type"] + record.get("cases", "")
    places_of_type.setdefault(key, []).append(number)
chosen = sorted({number for numbers in places_of_type.values() for number in (numbers[0], numbers[-1])})
edits = [(number, path, value) for number in chosen for path in places(records[number])
         for value in others(functools.reduce(lambda at, key: at[key], path, records[number]))]
# Only a search can notice that cases are missing, also in a list without any.
edits = [(number, path, value) for number, path, value in edits if not (path[-2:-1] == ("found",) and value is MISSING)]
edits = edits[::step]

def tried(number_of_edit):
    number, path, value = edits[number_of_edit]
    place = f"edit-{name}-{number_of_edit}"
    os.mkdir(place)
    with open(f"{place}/j", "w") as file:
        for i, record in enumerate(records):
            file.write(closed(edited(record, path, value)) if i == number else text[i] + "\n")
    run = subprocess.run([tmd, "resume", f"{place}/j", "--quiet", "--wc", f"{place}/list.wc"], capture_output=True, text=True)
    sentences = [line for line in run.stderr.splitlines() if line.startswith("tmd: ") and not line.startswith("tmd: note: ")]
    if run.returncode == 0:
        wrong = None if cases_of(f"{place}/list.wc") == expected else "another list with status 0"
    elif run.returncode not in (2, 3, 4):
        wrong = f"status {run.returncode}"
    elif len(sentences) != 1 or re.search("internal error|exception|std::|_M_|json", run.stderr):
        wrong = "not one sentence"
    else:
        wrong = None if not os.path.exists(f"{place}/list.wc") else "refused, and there is a list"
    subprocess.run(["rm", "-rf", place])
    shown = "nothing" if value is MISSING else json.dumps(value)
    return wrong and f"line {number + 1}, {'.'.join(map(str, path))} = {shown}: {wrong}\n{run.stderr}", run.returncode

with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    ends = list(pool.map(tried, range(len(edits))))
faults = [wrong for wrong, status in ends if wrong]
print(f"{name}: {len(edits)} edits, {sum(status != 0 for _, status in ends)} refused, {len(faults)} wrong", file=sys.stderr)
for wrong in faults[:40]:
    print(wrong, file=sys.stderr)
sys.exit(bool(faults) or not any(status for _, status in ends) or all(status for _, status in ends))
PYTHON
}

step=5
if [[ -n ${TMD_TEST_ALL:-} ]]; then step=1; fi
edit parts $step
edit claims $step
# Journals that a search resumes on a device.
edit parts $((8 * step + 1)) $(($(grep -c '' whole/parts.wc.journal) - 1))
edit claims $((8 * step + 1)) $(($(grep -c '' whole/claims.wc.journal) - 1))

# Parts of a finished search are turned into ranges without a case: it has too few cases for samples to find one.
succeeds search exp --from 1 --to 0x1.001p+0 --bits 36 --quiet --wc rare.wc
[[ $(grep -vc '^#' rare.wc) -gt 10 ]] || fail "no cases"
python3 - <<'PYTHON' || fail "no parts were changed"
import json, zlib

lines = open("rare.wc.journal").read().splitlines()
changed = 0
for i, line in enumerate(lines):
    record = json.loads(line)
    if record["type"] == "part":
        last = float.fromhex(record["last"]) - 2.0**-52 # the range's last argument, not the one after it
        body = {"type": "range", "first": record["first"], "last": last.hex(), "arguments": record["arguments"],
                "cases": "none", "seq": record["seq"], "at": record["at"]}
        text = json.dumps(body, separators=(",", ":"))[:-1]
        lines[i] = f'{text},"crc":"{zlib.crc32(text.encode()):08x}"}}'
        changed += 1
open("rare.wc.journal", "w").write("\n".join(lines) + "\n")
raise SystemExit(changed == 0)
PYTHON
tmd resume rare.wc.journal --quiet --wc false.wc
[[ $status -eq 4 ]] || fail "ranges without a case where there are some: status $status, not 4"
grep -q "the journal 'rare.wc.journal' is wrong at 0x1.*: what the range says is not proven" err || fail "it is not said: $(<err)"
