#!/usr/bin/env bash
# Profiles as users write and break them: which applies, and a sentence for each that cannot be used.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

mkdir -p config/tmd/devices shipped/devices
export XDG_CONFIG_HOME=$scratch/config TMD_CONFIG_PATH=$scratch/shipped
mine=config/tmd/devices

TMD_CONFIG_PATH=$scratch/not-there refuses 2 "TMD_CONFIG_PATH names '$scratch/not-there', which is not a folder" devices

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
grep -q "profile  *built-in default" out || fail "no built-in default without profiles"

# profile FILE ITEMS [MATCH]
profile() {
  printf 'format = 1\ntuned = false\n[match]\n%s\n[tunables]\nphase1.items = %s\n' "${3:-device = \"*\"}" "$2" >"$1"
}

# uses ITEMS: a search must take that value, and find its cases.
uses() {
  succeeds "${small[@]}" --quiet --json files/log.jsonl
  grep -q '^4 hard-to-round cases' out || fail "not the four cases"
  grep -q "\"phase1.items\":$1[,}]" files/log.jsonl || fail "phase1.items is not $1"
}

profile shipped/devices/all.toml 2
uses 2
[[ ! -s err ]] || fail "something on stderr"
profile $mine/all.toml 3
uses 3
grep -q '"profile":"all.toml: devices like this, any driver, untuned"' files/log.jsonl || fail "the profile is not named"

# complains TEXT: there must be one sentence on stderr, and the next profile is used.
complains() {
  uses 2
  [[ $(wc -l <err) -eq 1 ]] || fail "not one sentence on stderr"
  grep -qF "tmd: warning: profile '$scratch/$mine/all.toml' is not used: $1" err || fail "not the sentence, with '$1'"
  succeeds devices
  [[ $(wc -l <err) -eq 1 ]] || fail "tmd devices: not one sentence on stderr"
}
profile $mine/all.toml 0
complains "tunable phase1.items must be an integer from 1 to 4096, not '0'"
profile $mine/all.toml '"three"'
complains "phase1.items must be an integer"
profile $mine/all.toml 3 'devcie = "*"'
complains "unknown key match.devcie"
echo "this is no TOML" >$mine/all.toml
complains "line 1: "
head -c 3000 /dev/urandom >$mine/all.toml
complains ""
head -c 300000 /dev/zero >$mine/all.toml
complains "it is larger than 64 KiB"
rm $mine/all.toml
mkdir $mine/all.toml
complains "it is no file"
rmdir $mine/all.toml
ln -s nowhere $mine/all.toml
complains "it cannot be read"
rm $mine/all.toml

# A bad environment value is refused, and a folder that cannot be used is reported.
TMD_CPU_MODE=fast refuses 2 "unknown CPU mode in TMD_CPU_MODE 'fast'" devices
TMD_CPU_MODE=fast refuses 2 "unknown CPU mode in TMD_CPU_MODE 'fast'" "${small[@]}"
rmdir $mine
echo >$mine
uses 2
grep -q "the folder of profiles '$scratch/$mine' cannot be read: Not a directory" err || fail "a file instead of the folder"
