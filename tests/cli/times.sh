#!/usr/bin/env bash
# The times of a search add up: what the stages of a device took, and the time in which it was idle, are all of it, also
# where several queues share the device.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

python3 -c '' 2>/dev/null || skip "no python3"
tmd devices
grep -q "usable  *yes" out || skip "no usable device"

for queues in 1 4; do
  succeeds search exp --from 1 --to 1+2^-14 --bits 42 --algorithm regular --set "queues=$queues" --no-journal \
    --set batch-domains=65536 --json "$queues.jsonl"
  grep -qE "^  idle  +.* s$" out || fail "no line of idle time"
  python3 - "$queues.jsonl" <<'END' || fail "times do not add up with queues=$queues"
import json, sys

summary = json.loads(open(sys.argv[1]).read().splitlines()[-1])
idle = summary.pop("idle")
others = {"polynomials", "roots", "phase_host"}  # of the host
busy = sum(value["seconds"] for key, value in summary.items() if isinstance(value, dict) and key not in others)
reasons = sum(value for key, value in idle.items() if key != "seconds")
assert busy > 0 and summary["phase1"]["seconds"] > 0, summary
assert abs(reasons - idle["seconds"]) < 1e-9, idle
assert abs(busy + idle["seconds"] - summary["seconds"]) < 1e-6, (busy, idle, summary["seconds"])
END
done
