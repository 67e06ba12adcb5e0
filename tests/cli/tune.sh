#!/usr/bin/env bash
# tmd tune: a profile that the other commands use; interruptions and resuming; refused requests.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

# PoCL keeps its kernels in the usual cache, because building them anew would take longer than the test.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/pocl/kcache}
export XDG_CONFIG_HOME=$scratch/config XDG_CACHE_HOME=$scratch/cache
profiles=$scratch/config/tmd/devices

refuses 2 "--budget must be an integer from 1 to 1000000, not '0'" tune --budget 0
refuses 2 "--seed must be an integer" tune --seed x
refuses 2 "unknown CPU mode 'fast'" tune --cpu-mode fast
refuses 2 "unexpected argument 'cpu'" tune cpu
refuses 2 "cannot write 'missing/profile.toml'" tune --output missing/profile.toml
refuses 2 "cannot write 'missing/log'" tune --json missing/log
refuses 3 "no device fits 'no such device'" tune --device "no such device"
succeeds tune --help

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
grep -qE "profile  *(built-in default|[a-z0-9-]*.toml: )" out || fail "no profile line before tuning"
refuses 2 "the pattern 'toaster*' of --match does not fit this device" tune --match 'toaster*'

# Some seconds are enough for a profile, if not for a good one.
succeeds tune --quick --budget 1 --json files/log.jsonl
grep -qE '^tried [0-9]+ configurations?: [0-9]+ ok, [0-9]+ compile, ' out || fail "no table of what was tried"
grep -q '^gains over the ' out || fail "no table of gains"
grep -qE 'tried  [a-z0-9]+: [a-z0-9.=,-]+( [a-z0-9.=,-]+)*: ([0-9.]+ of the default|compile|runtime|incorrect|given up)' err ||
  fail "no lines of progress"
[[ $(find "$profiles" -name '*.toml' | wc -l) -eq 1 ]] || fail "not one profile"
grep -qF "profile written to $(echo "$profiles"/*.toml)" out || fail "it is not said where the profile is"
for line in 'format = 1' 'tuned = true' '\[match\] .*' 'date = [0-9-]+' 'gain = .*' 'phase1.division = "[a-z-]+"'; do
  grep -qE "^$line$" "$profiles"/*.toml || fail "the profile lacks $line"
done
[[ $(head -n 1 files/log.jsonl) == '{"type":"tuning"'* && $(tail -n 1 files/log.jsonl) == '{"type":"result"'* ]] ||
  fail "the JSON Lines do not begin and end as they should"
tried=$(grep -c '"type":"trial"' files/log.jsonl)

# The other commands use it, and say so; --set wins.
succeeds devices --json devices.jsonl
grep -qE "profile  .*: this device, driver .*; tuned [0-9-]+, [0-9.]+ times as fast as the " out ||
  fail "tmd devices does not show the profile"
grep -q '"tuned":true' devices.jsonl || fail "no tuned device in the JSON Lines"
succeeds "${small[@]}" --quiet --json files/search.jsonl --set phase1.items=3
grep -q '^4 hard-to-round cases' out && [[ ! -s err ]] || fail "not the four cases with the profile"
grep -q '"profile":"[^"]*: this device, driver ' files/search.jsonl || fail "a search does not record its profile"
grep -q '"phase1.items":3' files/search.jsonl || fail "--set does not win over the profile"

# After an interruption the results are kept, and no profile is written.
rm -r "$profiles"
begins "$TMD" tune --quick --budget 1000
awaits err " tried "
kill -s INT "$pid"
status=0
wait "$pid" || status=$?
[[ $status -eq 130 ]] || fail "SIGINT: status $status, not 130"
grep -qE 'tmd: interrupted: [0-9]+ configurations? tried; no profile was written; the same command continues from here$' \
  err || fail "SIGINT: not the sentence: $(tail -n 3 err)"
[[ -z $(find "$profiles" -name '*.toml') ]] || fail "a profile of an interrupted run"

# The command on the page of tuning has these options.
grep -qxF "tmd tune --device cpu --match '*' --output cpu.toml --json tuning.jsonl" \
  "$TMD_TESTS/../doc/guide/devices-and-tuning.md" || fail "the page has another command"
# Another run knows the trials of both; an incomplete line costs that line only.
journal=$(echo "$scratch"/cache/tmd/tune/*.jsonl)
known=$(grep -c '"type":"trial"' "$journal")
[[ $known -gt $tried ]] || fail "not the trials of both runs: $known of them, $tried in the first"
truncate --size=-5 "$journal"
succeeds tune --quick --budget 1 --match '*' --output files/profile.toml --json files/tuning.jsonl
grep -q '^left out: what there was no time for' out || fail "it does not say that there was no time for all"
grep -q "^tried .* ($((known - 1)) of them in earlier runs)" out || fail "it does not know the $known trials but the last"
grep -q '^device = "\*"' files/profile.toml || fail "--match is not in the profile"

# A profile in another place is chosen by its name.
succeeds "${small[@]}" --quiet --no-journal --json files/given.jsonl --profile files/profile.toml
grep -q '"profile":"profile.toml: devices like this, ' files/given.jsonl || fail "--profile is not what is used"
sed 's/^device = .*/device = "toaster"/' files/profile.toml >other.toml
refuses 2 "--profile: 'other.toml' cannot be used: it is not for " "${small[@]}" --profile other.toml
refuses 2 "--profile: 'none.toml' cannot be used: it cannot be read: No such file" "${small[@]}" --profile none.toml

# Not even SIGKILL leaves the process that runs the kernels behind.
begins "$TMD" tune --quick --budget 1000
for ((waited = 0; waited < 600; ++waited)); do
  worker=$(children_of "$pid")
  if [[ -n $worker ]]; then break; fi
  sleep 0.1
done
[[ -n $worker ]] || fail "no process of its own runs the kernels"
kill -s KILL "$pid"
wait "$pid" || true
for ((waited = 0; waited < 100; ++waited)); do
  if ! is_running "$worker"; then break; fi
  sleep 0.1
done
if is_running "$worker"; then fail "a worker outlives its tuning"; fi
