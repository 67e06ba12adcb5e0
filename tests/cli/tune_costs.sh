#!/usr/bin/env bash
# tmd tune: the planner's costs in the profile, or the reason why they are not there.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

# PoCL keeps its kernels where they are: building them anew would take longer than the test.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/pocl/kcache}
export XDG_CONFIG_HOME=$scratch/config XDG_CACHE_HOME=$scratch/cache

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

succeeds tune --quick --budget 20 --output files/profile.toml --match '*' --json files/log.jsonl
[[ $(grep -c '"type":"costs"' files/log.jsonl) -eq 1 ]] || fail "not one record of the costs"
[[ $(tail -n 1 files/log.jsonl) == '{"type":"result"'* ]] || fail "the JSON Lines do not end as they should"
if grep -q '^kept: the measured costs$' out; then
  grep -q '^\[costs\]' files/profile.toml || fail "the profile lacks its costs"
  for cost in polynomial polynomial-by-host lefevre argument confirmation interval wide.group wide.line wide.candidate \
    wide.part; do
    grep -qE "^$cost = [0-9.e+-]+$" files/profile.toml || fail "the profile lacks the cost $cost"
    grep -qE "^  $cost  *[0-9.e+-]+  *[0-9.e+-]+$" out || fail "the table lacks the cost $cost"
  done
else
  grep -q '^dropped: the measured costs: .' out || fail "it is not said why there are no costs"
  if grep -q '^\[costs\]' files/profile.toml; then fail "costs that were dropped are in the profile"; fi
fi

# The other commands read it.
mkdir -p config/tmd/devices
cp files/profile.toml config/tmd/devices
succeeds "${small[@]}" --quiet
[[ $(wc -l <out) -eq 5 && ! -s err ]] || fail "not the four cases with the profile"

# A bad cost is one sentence, and the next profile is used.
printf 'format = 1\ntuned = true\n[match]\ndevice = "*"\n[tunables]\n[costs]\nwide.line = -1\n' >config/tmd/devices/profile.toml
succeeds devices
[[ $(grep -c 'cost wide.line must be a positive number, not -1' err) -eq 1 && $(wc -l <err) -eq 1 ]] ||
  fail "not one sentence for a bad cost"
