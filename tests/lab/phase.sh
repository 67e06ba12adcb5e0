#!/usr/bin/env bash
# tmd-lab phase: a row for one function and for two, and the steps of a window.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
TMD=$TMD_LAB

refuses 2 "no function given" phase
refuses 2 "cannot write 'missing/file'" phase sin --from 1024 --to 2048 --json missing/file
refuses 3 "no device fits 'no such device'" phase sin --from 1024 --to 2048 --device "no such device"
succeeds phase --help
grep -q -- '--repeats' out || fail "the help does not name --repeats"

"$TMD_PROGRAM" devices >out
grep -q "usable  *yes" out || skip "no usable device"
refuses 2 "the phase walk can be used in no part of this range" phase log --from 1024 --to 2048
refuses 2 "the phase walk can be used in no part of this range" phase sin --from 0x1p-4 --to 0x1p-3

succeeds phase sin --from 0x1p+600 --to 0x1p+601 --repeats 1 --json files/bench.jsonl
grep -qE '^  windows of 2\^-[0-9.]+ of the phase, [0-9.e+]+ of a binade.s; segments of [0-9]+, chunks of [0-9]+; m has 1 word$' out ||
  fail "it is not said what the windows are like"
for functions in 1 2; do
  grep -qE "^  $functions +[0-9.e+]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ % +[0-9.]+\$" out || fail "no row for $functions"
done
for step in segments "short vectors" basis ranges points all; do
  grep -qE "^  $step +-?[0-9.]+ +-?[0-9.]+ % +-?[0-9]+\$" out || fail "no row for the step '$step'"
done

python3 -c '' 2>/dev/null || skip "the JSON Lines: no python3"
python3 - <<'PYTHON'
import json, sys

def check(condition, what):
    if not condition:
        sys.exit("FAILED: " + what)

records = [json.loads(line) for line in open("files/bench.jsonl")]
rows, steps = records[:-1], records[-1]
check([row["functions"] for row in rows] == [1, 2], "rows")
for row in rows:
    check(row["type"] == "phase" and row["function"] == "sin" and row["m_words"] == 1, "what was walked")
    check(row["windows_per_second"] > 0 and row["seconds_per_binade"] > 0, "speeds")
    check(0 <= row["refused_share"] < 0.1 and 0 <= row["kept_per_window"] < 0.01, "what windows keep")
    check(1e9 < row["windows_per_binade"] < 1e12, "windows of a binade")
times = steps["seconds_per_window"]
check(steps["type"] == "phase-steps" and steps["peak_operations_per_second"] > 1e6, "a peak")
check(list(times) == ["segments", "short vectors", "basis", "ranges", "points", "all"], "steps")
check(abs(sum(times.values()) - 2 * times["all"]) <= 1e-9 * times["all"], "the steps are all")
PYTHON
