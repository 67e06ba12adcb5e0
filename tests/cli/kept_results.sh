#!/usr/bin/env bash
# Files come first: whatever happens to standard output, results are kept. A result file on standard output has no
# tables in it.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
succeeds "${small[@]}" --wc whole.wc --json whole.jsonl

# written WHAT: both files must be there, complete, and nothing else.
written() {
  [[ $(grep -v '^#' files/list.wc) == "$(grep -v '^#' whole.wc)" ]] || fail "$1: not the list"
  [[ $(grep -c '' files/log.jsonl) -eq $(grep -c '' whole.jsonl) ]] || fail "$1: not the records"
  [[ -z $(find files -mindepth 1 ! -name list.wc ! -name log.jsonl ! -name "*.journal") ]] || fail "$1: further files: $(ls -A files)"
  rm files/*
}

# The reader of the tables stops after the first line, or before: then SIGPIPE ends the program.
"$TMD" "${small[@]}" --wc files/list.wc --json files/log.jsonl 2>err | head -n 1 >first || true
grep -q '^exp on ' first || fail "head -n 1: not the first line"
written "head -n 1"
# Only the cases are printed, so that the full device is met after the search.
status=0
"$TMD" "${small[@]}" --quiet --wc files/list.wc --json files/log.jsonl >/dev/full 2>err || status=$?
[[ $status -eq 2 ]] || fail "a full device: status $status, not 2"
grep -q "cannot write to standard output: No space left on device" err || fail "a full device: not the sentence"
written "a full device"

# If a file is written to standard output, nothing else is.
for stdout in - /dev/stdout; do
  "$TMD" "${small[@]}" --wc "$stdout" --json files/log.jsonl 2>err | cat >out
  [[ $(grep -v '^#' out) == "$(grep -v '^#' whole.wc)" ]] || fail "--wc $stdout: something beside the list"
  grep -q '^# Complete: ' out || fail "--wc $stdout: not the whole list"
  "$TMD" "${small[@]}" --ledger --json "$stdout" 2>err | cat >out
  [[ $(grep -c '^{"type":' out) -eq $(grep -c '' out) && $(grep -c '' out) -eq $(grep -c '' whole.jsonl) ]] ||
    fail "--json $stdout: something beside the records"
done
"$TMD" devices --tunables --json - >out 2>err
if grep -qv '^{"type":"device"' out; then fail "devices --json -: something beside the records"; fi
"$TMD_LAB" divergence exp --from 1 --to 0x1.001p+0 --json - >out 2>err
[[ $(grep -c '' out) -eq 1 ]] && grep -q '^{"type":"divergence"' out || fail "tmd-lab --json -: something beside the record"
status=0
"$TMD" "${small[@]}" --wc - >/dev/full 2>err || status=$?
[[ $status -eq 2 ]] && grep -q "cannot write '-': No space left on device" err || fail "--wc - on a full device: status $status"
