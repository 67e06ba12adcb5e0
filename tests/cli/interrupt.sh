#!/usr/bin/env bash
# Any command can be stopped at any moment: status 130 within a second or so, a sentence, no output file except the
# journal, no temporary file.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# stopped_by SIGNAL ALGORITHM [SECONDS]: a long search, and the signal some seconds after it has searched arguments.
stopped_by() {
  local signal=$1 algorithm=$2
  begins "$TMD" search exp --from 64 --to 512 --bits 40 --algorithm "$algorithm" --wc files/list.wc --json files/log.jsonl \
    --progress json:0.1
  awaits err '"arguments":"[1-9]'
  sleep "${3:-0.1}"
  kill -s "$signal" "$pid"
  status=0
  wait "$pid" || status=$?
}

goes_on="\`tmd resume files/list.wc.journal\` resumes it"
for how in "INT regular" "TERM regular" "INT wide" "HUP wide"; do
  signal=${how% *}
  # On a busy machine a step may not end in time, and there are no tables: then the test is repeated with a later signal.
  for ((attempt = 0; attempt < 5; ++attempt)); do
    stopped_by "$signal" "${how#* }" $((attempt * 2)).1
    [[ $status -eq 130 ]] || fail "SIG$signal: status $status, not 130"
    no_files
    grep -qE "^tmd: interrupted during a step: [0-9]+ of 13510798882111488 arguments had been searched, [0-9]+ cases? found; $goes_on$|: 0 of .* no file was written$" \
      err || break
  done
  grep -qE "^tmd: interrupted: [0-9]+ of 13510798882111488 arguments were covered, [0-9]+ cases? found in them; $goes_on$" \
    err || fail "SIG$signal: stderr does not say what was covered"
  grep -qE ' of 13510798882111488 arguments covered' out || fail "SIG$signal: stdout does not say what was covered"
  if grep -q '^tmd: warning: ' err; then fail "SIG$signal: a warning, and nothing is wrong"; fi
  no_files
done

# stops SECONDS WHAT COMMAND...: sends SIGINT after that time; the command must end soon, with a sentence and no file
# left.
stops() {
  local after=$1 what=$2 begin
  status=0
  begin=$(date +%s%N)
  env --default-signal=INT,TERM,HUP timeout --preserve-status --signal INT "$after" "${@:3}" >out 2>err || status=$?
  took=$((($(date +%s%N) - begin) / 1000000))
  [[ $status -eq 130 ]] || fail "$what, stopped after $after s: status $status, not 130"
  # Before the program's first instruction, for which a busy machine may take long, nobody catches a signal.
  [[ $(grep -c '^tmd: interrupted' err) -eq 1 || $after == 0.[02]* ]] || fail "$what, stopped after $after s: not one sentence"
  no_files
}

# `timeout` sends its signal twice. Every moment of a search that ends by itself after a few seconds at least, of
# another that is busy cutting, of one with a million cases, and of benches and tunings.
# shellcheck disable=SC2034  # used through a reference
cutting=(search sin --from 0x1p+40 --to 0x1p+60 --bits 40)
# shellcheck disable=SC2034
many=(search exp --from 1 --to 0x1.00001p+0 --bits 9 --most-cases 100000000)
for after in 0.01 0.05 0.2 1 ${TMD_TEST_ALL:+3}; do
  for what in cutting many; do
    declare -n arguments=$what
    stops "$after" "$what" "$TMD" "${arguments[@]}" --wc files/list.wc
    limit=$(awk "BEGIN { print int($after * 1000) + 2500 }") # a second, and another for a busy machine
    [[ $took -le $limit ]] || fail "$what: stopped after $after s, it took $took ms"
    [[ $(wc -l <out) -le 150 ]] || fail "$what: it prints all cases"
  done
done
# With an empty cache PoCL is compiling, for a second at least.
for bench in phase1 polynomials divergence wide; do
  mkdir empty-cache
  POCL_CACHE_DIR=$scratch/empty-cache stops 0.5 "tmd-lab $bench" "$TMD_LAB" "$bench" exp --from 1 --to 2
  rm -rf empty-cache
done
stops 1 "tmd-lab division" "$TMD_LAB" division --json files/log.jsonl
stops 1 compare "$TMD" compare exp --from 1 --to 2 --json files/log.jsonl
stops 0.2 doctor "$TMD" doctor
XDG_CACHE_HOME=$scratch/cache XDG_CONFIG_HOME=$scratch/config stops 3 tune "$TMD" tune --device cpu --json files/log.jsonl

# SIGQUIT, also while kernels are compiled: LLVM would let the first one pass.
for cache in empty-cache "${POCL_CACHE_DIR:-}"; do
  mkdir empty-cache
  begins env POCL_CACHE_DIR="${cache/#empty-cache/$scratch/empty-cache}" "$TMD" search exp --from 1 --to 512 --bits 40 \
    --wc files/list.wc
  awaits out "^on device"
  sleep 0.3
  kill -s QUIT "$pid"
  status=0
  wait "$pid" || status=$?
  [[ $status -eq 130 && $(grep -c '^tmd: interrupted' err) -eq 1 ]] || fail "SIGQUIT: status $status, or not one sentence"
  no_files
  rm -rf empty-cache
done

# Signals that the caller ignores stay ignored, as under nohup, also while a driver's compiler works, here with an empty
# cache.
POCL_CACHE_DIR=$scratch/empty-cache env --ignore-signal=HUP "$TMD" search exp --from 1 --to 0x1.00001p+0 --bits 32 \
  --wc files/list.wc >out 2>err &
pid=$!
sleep 0.3
while is_running "$pid"; do
  kill -s HUP "$pid" 2>/dev/null || true
  sleep 0.02
done
status=0
wait "$pid" || status=$?
[[ $status -eq 0 && -e files/list.wc ]] || fail "SIGHUP that is ignored: status $status"
rm files/list.wc

# A debugger could stop the writing of a file at a given place; here, some moment while a list of 300000 cases is
# written is hit.
for after in 1.2 1.6 2.0 ${TMD_TEST_ALL:+1.4 1.8 2.2}; do
  status=0
  env --default-signal=INT timeout --signal INT "$after" "$TMD" search exp --from 1 --to 0x1.000001p+0 --bits 10 \
    --wc files/list.wc >out 2>err || status=$?
  if [[ -e files/list.wc ]]; then
    [[ $(grep -vc '^#' files/list.wc) -eq $(sed -n 's/.* covered; \([0-9]*\) cases.*/\1/p' files/list.wc) ]] ||
      fail "a list that is not complete"
    rm files/list.wc
  fi
  no_files
done

# Even a signal that ends it at once leaves no temporary file.
stopped_by KILL auto
[[ $status -eq 137 ]] || fail "SIGKILL: status $status, not 137"
no_files
