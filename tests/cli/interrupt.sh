#!/usr/bin/env bash
# A search that is stopped: status 130, what was covered, no output file, no temporary.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# stopped_by SIGNAL ALGORITHM: a long search, and the signal when it has begun.
stopped_by() {
  local signal=$1 algorithm=$2 pid waited
  # Without job control a background process ignores SIGINT; `env` gives it back.
  env --default-signal=INT,TERM "$TMD" search exp --from 64 --to 512 --bits 40 --algorithm "$algorithm" \
    --wc files/list.wc --json files/log.jsonl >out 2>err &
  pid=$!
  for ((waited = 0; waited < 600; ++waited)); do
    if grep -q "^on device" out; then break; fi
    sleep 0.1
  done
  sleep 1
  kill -s "$signal" "$pid"
  status=0
  wait "$pid" || status=$?
}

for how in "INT regular" "TERM regular" "INT wide"; do
  signal=${how% *}
  stopped_by "$signal" "${how#* }"
  [[ $status -eq 130 ]] || fail "SIG$signal: status $status, not 130"
  grep -qE '^tmd: interrupted: [0-9]+ of 13510798882111488 arguments were covered, [0-9]+ cases found in them; no file was written$' \
    err || fail "SIG$signal: stderr does not say what was covered"
  grep -qE ' of 13510798882111488 arguments covered' out || fail "SIG$signal: stdout does not say what was covered"
  no_files
done

# Not even what ends it at once leaves a temporary.
stopped_by KILL auto
[[ $status -eq 137 ]] || fail "SIGKILL: status $status, not 137"
no_files
