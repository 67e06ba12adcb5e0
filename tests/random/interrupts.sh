#!/usr/bin/env bash
# Searches that are interrupted at random moments and resumed, on one device and on two: 3 that are always the same, or,
# in `tests/run --all`, 60 others. What is drawn is the same; the moments depend on the machine.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
tmd devices
grep -q "usable  *yes" out || skip "no usable device"

searches=(--searches 3 --seed 6)
if [[ -n ${TMD_TEST_ALL:-} ]]; then searches=(--searches 60); fi
POCL_DEVICES="pthread pthread" python3 -B "$TMD_TESTS/random/interrupts.py" "$TMD_PROGRAM" "${searches[@]}"
