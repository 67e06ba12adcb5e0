#!/usr/bin/env bash
# Several devices in one search: how they are named, and that the result is that of one.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# The same device is named in two ways.
refuses 2 "--device names device 0 (" "${small[@]}" --device 0 --device 0
succeeds devices
name=$(sed -n 's/^0  //p' out)
refuses 2 "--device names device 0 ($name) twice" "${small[@]}" --device "$name" --device 0
refuses 3 "no device fits 'no such device'" "${small[@]}" --device 0 --device "no such device"

two_devices || skip "two devices: PoCL does not show the CPU twice"
succeeds devices
mapfile -t indices < <(awk '/^[0-9]+  / {index_ = $1} /platform  *Portable/ {print index_}' out)
[[ ${#indices[@]} -ge 2 ]] || skip "two devices: they are not PoCL's"

medium=(search exp --from 1 --to 0x1.0001p+0 --bits 28)
succeeds "${medium[@]}" --device "${indices[0]}" --wc files/one.wc --json files/one.jsonl
[[ $(grep -c '^on device ' out) -eq 1 ]] || fail "one device: not one line"
if grep -q '^  device ' out; then fail "one device: a table of devices"; fi
succeeds "${medium[@]}" --device "${indices[0]}" --device "${indices[1]}" --wc files/two.wc --json files/two.jsonl
for index in "${indices[0]}" "${indices[1]}"; do
  grep -q "^on device $index: " out || fail "device $index is not named before the search"
  grep -qE "^  device $index  .* [0-9]+ arguments .* % .* s$" out || fail "no line for device $index after the search"
done
[[ ! -s err ]] || fail "something on stderr"
cmp <(grep -v '^#' files/one.wc) <(grep -v '^#' files/two.wc) || fail "two devices: other cases than one"
[[ $(grep -vc '^#' files/one.wc) -gt 100 ]] || fail "not many cases"
for option in "--polynomials hybrid" "--deployment one" "--host-threads 3" "--algorithm exhaustive --to 0x1.00000001p+0"; do
  # shellcheck disable=SC2086
  succeeds "${medium[@]}" $option --device "${indices[0]}" --wc files/three.wc
  # shellcheck disable=SC2086
  succeeds "${medium[@]}" $option --device "${indices[1]}" --device "${indices[0]}" --wc files/four.wc
  cmp <(grep -v '^#' files/three.wc) <(grep -v '^#' files/four.wc) || fail "two devices with $option: other cases than one"
done

# `all` takes both: a platform lists a device twice only if it is told to.
succeeds "${small[@]}" --device all --quiet --json files/all.jsonl
! grep -qv '^tmd: note: ' err || fail "more than notes on stderr"

python3 -c '' 2>/dev/null || skip "the JSON Lines: no python3"
python3 - "${indices[0]}" "${indices[1]}" <<'PYTHON'
import json, sys

def check(condition, what):
    if not condition:
        sys.exit("FAILED: " + what)

def records(name):
    return [json.loads(line) for line in open("files/" + name)]

one, two, every = records("one.jsonl"), records("two.jsonl"), records("all.jsonl")
check("device" in one[0] and "devices" not in one[0], "one device: keys of the search record")
check("device" not in two[0] and len(two[0]["devices"]) == 2, "two devices: keys of the search record")
check(one[1:-1] == two[1:-1], "two devices: other records than one")
check(one[-1]["arguments"] == two[-1]["arguments"] == str(2**36), "coverage")
devices = two[0]["devices"]
check([d["index"] for d in devices] == [int(i) for i in sys.argv[1:]], "the devices' order")
for device in devices:
    check(list(device["device"]) == ["name", "class", "platform", "driver"], "keys of a device")
    check({"profile", "polynomials", "tunables", "arguments", "share", "wide_groups", "phase1", "phase2", "phase3",
           "seconds"}
          <= device.keys(), "keys of a device's work")
check(sum(int(d["arguments"]) for d in devices) == 2**36, "sum of the arguments")
check(abs(sum(d["share"] for d in devices) - 1) < 0.001, "sum of the shares")
for phase in "phase1", "phase2", "phase3":
    for key in "domains", "survivors":
        check(sum(d[phase][key] for d in devices) == two[-1][phase][key], "sum of " + phase + " " + key)
steps = [step for step in one[-1] if step.startswith("wide_")]
check(len(steps) == 5, "stages of the wide test")
for step in steps:
    for key in set(one[-1][step]) - {"seconds"}:
        check(sum(d[step][key] for d in devices) == two[-1][step][key], "sum of " + step + " " + key)
check({int(i) for i in sys.argv[1:]} <= {d["index"] for d in every[0]["devices"]}, "`all` does not take both")
PYTHON
