#!/usr/bin/env bash
# The JSON output of every command is as doc/records.json says: the keys of each type of record, and their types.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

python3 -c '' 2>/dev/null || skip "no python3"
root=$(cd "$TMD_TESTS/.." && pwd)

# A mistake is found.
echo '{"type":"function","schema":2}' >lacking.jsonl
if "$TMD_TESTS/records.py" lacking.jsonl 2>/dev/null; then fail "a record without its keys passes"; fi
succeeds functions exp --json one.jsonl
sed 's/"schema":2,/&"unknown":0,/' one.jsonl >more.jsonl
if "$TMD_TESTS/records.py" more.jsonl 2>/dev/null; then fail "an unknown key passes"; fi
sed 's/"description":"[^"]*"/"description":1/' one.jsonl >other.jsonl
if "$TMD_TESTS/records.py" other.jsonl 2>/dev/null; then fail "a key of another kind passes"; fi

succeeds search atan2 --format bfloat16 --bits 14 --json angles.jsonl
succeeds search hypot --format bfloat16 --bits 12 --reproducible --json legs.jsonl

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

mkdir all
succeeds search pow --format binary16 --bits 16 --shard 1/100 --device 0 --json all/pow.jsonl
succeeds status all/pow.jsonl.journal --json all/pow_status.jsonl
succeeds devices --tunables --json all/devices.jsonl
succeeds functions --json all/functions.jsonl
succeeds search exp --format binary16 --bits 6 --wc whole.wc --json all/whole.jsonl
succeeds search exp --format binary16 --bits 6 --reproducible --json all/reproducible.jsonl --no-journal
tmd search cospi --format p24 --bits 20 --from 0x1p+40 --json all/partial.jsonl --no-journal
succeeds search 'sqrt(x)' --format binary16 --from 1 --to 4 --bits 6 --audit 1 --json all/exact.jsonl --no-journal
succeeds search exp --from 1 --to 1+2^-13 --bits 40 --shard 1/2 --json all/shard.jsonl --progress json:0.1
succeeds status whole.wc.journal --json all/status.jsonl
cp whole.wc.journal all/whole.journal
cp all/shard.jsonl.journal all/shard.journal 2>/dev/null || true
succeeds search sin --format binary32 --from 0x1p+12 --to 0x1p+13 --bits 20 --algorithm phase --json all/walk.jsonl
succeeds merge all/whole.jsonl --quiet --json all/merged.jsonl
succeeds verify all/whole.jsonl --seconds 1 --json all/verification.jsonl
sed '0,/"bits":[0-9.]*,"breakpoint"/s//"bits":7.5,"breakpoint"/' all/whole.jsonl >wrong.jsonl
tmd verify wrong.jsonl --no-search --json all/wrong.jsonl
succeeds show exp 1.5 0x1p+0 --bits 6 --json all/values.jsonl
grep -v '^#' whole.wc | sed 1d >lacking.wc
tmd check exp lacking.wc --format binary16 --bits 6 --from 1 --to 2 --json all/check.jsonl
tmd libm exp --library libm.so.6 --from 1 --to 1+2^-6 --bits 38 --json all/library.jsonl
tmd libm exp --library libm.so.6 --calls 1000 --promise correct --flags --against libm.so.6:expm1 --json all/scan.jsonl
tmd libm exp --library libm.so.6 --all --format binary32 --from 1 --to 1+2^-6 --promise 1.0 --json all/all.jsonl
cat >jobs.toml <<'END'
[[search]]
name = "exp"
function = "exp"
format = "binary16"
bits = 6
END
succeeds run jobs.toml --into runs
cp runs/index.json all/
succeeds compare exp --from 1 --to 1+2^-13 --bits 40 --algorithm wide --algorithm regular --cpu-mode vector --json all/comparison.jsonl
succeeds compare --built-ins sqrt --seconds 0.1 --json all/built_ins.jsonl
if has_python publish; then
  succeeds publish all/whole.jsonl --into pages
  cp pages/binary16/exp.jsonl.xz all/
fi
"$TMD_TESTS/records.py" all/* || fail "not as doc/records.json says"

# The reference has every key.
python3 - "$root/doc/records.json" "$root/doc/reference" <<'PYTHON' || fail "doc/reference lacks a key"
import json, pathlib, sys
told = "".join(page.read_text() for page in pathlib.Path(sys.argv[2]).glob("*.md"))
for file, types in json.load(open(sys.argv[1]))["files"].items():
    for kind, keys in types.items():
        lacking = [key for key in keys if f"`{key}`" not in told and key != "type"]
        if f"`{kind}`" not in told or lacking:
            sys.exit(f"doc/reference lacks, of '{kind}' of '{file}': {lacking}")
PYTHON
