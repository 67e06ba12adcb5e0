#!/usr/bin/env bash
# tmd-lab wide: a row for each way to compute the wide test, beside what the host expects of its groups.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
TMD=$TMD_LAB

refuses 2 "no function given" wide
refuses 2 "--bits must be an integer" wide exp --from 1 --to 2 --bits 0
refuses 2 "cannot write 'missing/file'" wide exp --from 1 --to 2 --json missing/file
refuses 3 "no device fits 'no such device'" wide exp --from 1 --to 2 --device "no such device"
succeeds wide --help
grep -q -- '--repeats' out || fail "the help does not name --repeats"

"$TMD_PROGRAM" devices >out
grep -q "usable  *yes" out || skip "no usable device"
# Every argument is a case of so few bits.
refuses 2 "the wide test can be used in no part of this range" wide exp --from 1 --to 0x1.00001p+0 --bits 1

succeeds wide exp --from 1 --to 0x1.00001p+0 --bits 32 --repeats 1 --cpu-mode scalar --json files/bench.jsonl
grep -qE '^  a group, of [0-9]+ on the host: [0-9.]+ lines, [0-9.]+ candidates, [0-9.]+ chords, [0-9.]+ parts$' out ||
  fail "it is not said what the groups are like"
for order in given by-lines; do
  grep -qE "^  1 +$order +[0-9.e+]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+" out || fail "no row for $order"
done
[[ $(grep -c '^  1 ' out) -eq 2 ]] || fail "not two rows"
for step in coefficients fraction set-up lines candidates all; do
  grep -qE "^  $step +-?[0-9.]+ +-?[0-9.]+ % +-?[0-9]+\$" out || fail "no row for the step '$step'"
done
grep -qE '^  lines: [0-9.]+ in the filter, 10 instructions each, are [0-9]+ operations: -?[0-9]+ % of the peak$' out ||
  fail "it is not said what lines take at least"
grep -qE '^  bytes: [0-9.]+ of memory, [0-9.e+-]+ GB/s$' out || fail "it is not said how many bytes move"
grep -qE '^  evidence: .* take [0-9.]+ times as long' out || fail "it is not said what evidence costs"

python3 -c '' 2>/dev/null || skip "the JSON Lines: no python3"
python3 - <<'PYTHON'
import json, sys

def check(condition, what):
    if not condition:
        sys.exit("FAILED: " + what)

records = [json.loads(line) for line in open("files/bench.jsonl")]
head, rows, steps, evidence = records[0], records[1:-2], records[-2], records[-1]
check(head["type"] == "wide-groups" and 7 <= head["group_bits"] <= 23 and head["lines"] > 0, "what the groups are like")
check(len(rows) == 2 and all(row["type"] == "wide" for row in rows), "two rows")
check(evidence["type"] == "wide-evidence" and evidence["ratio"] > 0, "what evidence costs")
times = steps["seconds_per_group"]
check(steps["type"] == "wide-steps" and steps["peak_operations_per_second"] > 1e6, "a peak")
check(list(times) == ["coefficients", "fraction", "set-up", "lines", "candidates", "all"], "steps")
check(abs(sum(times.values()) - 2 * times["all"]) <= 1e-9 * times["all"], "the steps are all")
check(steps["bytes_per_group"] > 0 and steps["least_operations_of_lines"] >= 0, "bounds")
for row in rows:
    check(row["groups_per_second"] > 0 and row["seconds_per_2_52_arguments"] > 0, "speeds")
    check(0 <= row["parts_per_group"] < 1, "few parts are searched by themselves")
    # All search the same groups.
    check(abs(row["candidates_per_group"] - rows[0]["candidates_per_group"]) < 0.1 + rows[0]["candidates_per_group"] / 4,
          "candidates of a group")
PYTHON
