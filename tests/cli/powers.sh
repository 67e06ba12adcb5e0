#!/usr/bin/env bash
# tmd search pow and compoundn by boxes on a device: pow finds what a search pair by pair finds, killed and resumed, in shards and
# merged; its journal, its state, and refused requests.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

refuses 2 "--device is not for functions of two variables, such as atan2" search atan2 --format bfloat16 --device cpu
refuses 2 "pow can be searched in formats of up to 24 bits of precision; binary64 has 53" search pow --format binary64
refuses 2 "--from is not for functions of two variables, such as powr" search powr --format binary32 --from 1
refuses 2 "more than 10000000: take a larger --bits" search pow --format binary32 --bits 30 --no-journal

succeeds search powr --format binary32 --dry-run
grep -qE '^  boxes +about 2\.[0-9]+e\+13' out || fail "the dry run does not say how many boxes"

# Two parts of a format, of which the first is killed as soon as some of it is done; with TMD_TEST_ALL they are the whole.
shards=(3/16 1/8) gaps=(--allow-gaps) of_a_part=1 to_verify=files/two.jsonl
if [[ -n ${TMD_TEST_ALL:-} ]]; then shards=(1/2 2/2) gaps=() of_a_part=0 to_verify=files/pow.jsonl; fi
pow=(search pow --format binary16 --bits 16 --reproducible --device 0)
begins "$TMD" "${pow[@]}" --shard "${shards[0]}" --wc files/one.wc --json files/one.jsonl --progress lines:1
for ((i = 0; i < 1200; ++i)); do
  if grep -q '"type":"part"' files/one.wc.journal 2>/dev/null; then break; fi
  sleep 0.1
done
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
[[ ! -e files/one.wc && ! -e files/one.jsonl ]] || fail "a search that was killed has left a list"
grep -q '"type":"part"' files/one.wc.journal || fail "nothing was kept"
succeeds status files/one.wc.journal --json status.jsonl
grep -qE '^  state +interrupted$' out || fail "it is not interrupted"
grep -qE '^  left +[0-9:]+$' out || fail "how long it will take is not said"
refuses 2 "is of another search, which has not ended" "${pow[@]}" --shard "${shards[1]}" --journal files/one.wc.journal
# A damaged journal is refused; an incomplete last line is skipped.
sed '2s/"device":0/"device":1/' files/one.wc.journal >damaged.journal
refuses 2 "line 2: it is damaged" resume damaged.journal
sed '$s/.\{20\}$//' files/one.wc.journal | head -c -1 >torn.journal
succeeds status torn.journal

# After a signal it ends within seconds, and can be resumed.
begins "$TMD" resume files/one.wc.journal --progress json:0.2
awaits err '"boxes":'
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
[[ $status -eq 130 ]] || fail "SIGTERM: status $status, not 130"
grep -qE "^tmd: interrupted: [0-9.]+ % had been searched, [0-9]+ cases? found; \`tmd resume files/one.wc.journal\` resumes it$" err ||
  fail "SIGTERM: stderr does not say how it goes on"
succeeds resume files/one.wc.journal --quiet
grep -q "^# Complete for part ${shards[0]/\// of }: every pair" files/one.wc || fail "the list does not say which part it is"
succeeds status files/one.wc.journal
grep -qE '^  state +complete$' out || fail "it is not complete"
# Its files are written once more.
mv files/one.wc first.wc
mv files/one.jsonl first.jsonl
succeeds resume files/one.wc.journal --quiet
cmp -s files/one.wc first.wc || fail "another list"
cmp -s files/one.jsonl first.jsonl || fail "other records"

# The list of two devices is that of one.
two_devices || true
succeeds "${pow[@]:0:6}" "${devices[@]}" --shard "${shards[1]}" --audit 0.01 --json files/two.jsonl
[[ ${devices[1]} == 0 ]] || grep -qE '^on .*, .*' out || fail "not on two devices"
unset POCL_DEVICES
grep -qE '^  audit +[0-9]+ pairs \(0\.[0-9]+ of all\) searched again by other boxes: the same [0-9]+ cases, and [0-9]+ planted, ' out ||
  fail "--audit has not searched again"
[[ $(grep -o '"audits":.*' files/two.jsonl | grep -oE '"way":"(by other boxes|one by one)"' | wc -l) -eq 2 ]] ||
  fail "audits are not in the records"
refuses 2 "lines of pairs are in none of the parts" merge files/one.wc.journal --wc files/half.wc
refuses 4 "would be covered twice" merge files/one.wc.journal files/one.wc.journal --wc files/half.wc
tmd merge files/one.wc.journal files/two.jsonl.journal "${gaps[@]}" --wc files/pow.wc --json files/pow.jsonl --quiet
[[ $status -eq $of_a_part ]] || fail "merge: status $status, not $of_a_part"
cases=$(grep -c '"type":"case"' files/pow.jsonl)
[[ $cases -gt 5000 && $cases -eq $(cat files/one.jsonl files/two.jsonl | grep -c '"type":"case"') ]] || fail "merge: $cases cases"

# Some of it is searched again, by other boxes, on a device that is named.
tmd verify "$to_verify" --seconds 1 --device 0
[[ $status -eq $of_a_part ]] || fail "verify: status $status, not $of_a_part"
grep -qE '^searched again +ok +[0-9]+ of [0-9]+ lines of pairs, by other boxes, [0-9]+ cases?$' out || fail "not by boxes"
sed "2,$(($(grep -c '"type":"case"' "$to_verify") - 1000))d" "$to_verify" >lacking.jsonl
tmd verify lacking.jsonl --seconds 1 --device 0
[[ $status -eq 4 ]] || fail "status $status where most cases are missing"
grep -qE '^searched again, 0x.*: it is missing$' out || fail "missing cases are not named"

if [[ -n ${TMD_TEST_ALL:-} ]]; then
  succeeds search pow --format binary16 --bits 16 --wc pairs.wc --json pairs.jsonl --quiet
  diff <(grep -v '^#' pairs.wc) <(grep -v '^#' files/pow.wc) >/dev/null || fail "not the list that is found pair by pair"
  grep -E '"type":"(case|family)"' pairs.jsonl >expected
  grep -E '"type":"(case|family)"' files/pow.jsonl | cmp -s - expected || fail "not as many exact values, or cases next to 1"
else # kernel/powers compares whole formats
  succeeds check pow files/pow.wc --values-only
  grep -qE "^$cases entries .* 0 mistakes$" out || fail "entries that are no cases"
fi

# compoundn: lists and journals have its integers as decimal numbers.
succeeds search compoundn --format binary32 --dry-run
grep -qE '^  boxes +about 1\.9[0-9]*e\+13' out || fail "the dry run does not say how many boxes"
echo "0x1p+0,3" >plain.wc
refuses 2 "compoundn in binary32 is searched on a device" check compoundn plain.wc --format binary32 --bits 44
compoundn=(search compoundn --format binary16 --bits 16 --shard 600/1000 --reproducible --device 0)
succeeds "${compoundn[@]}" --audit 0.001 --wc files/compoundn.wc --json files/compoundn.jsonl
[[ $(grep -cE '^-?0x[0-9a-fp.+-]+,-?[0-9]+$' files/compoundn.wc) -gt 100 ]] || fail "hardly any case"
mv files/compoundn.wc first.wc
succeeds resume files/compoundn.wc.journal --quiet
cmp -s files/compoundn.wc first.wc || fail "another list"
succeeds status files/compoundn.wc.journal
grep -qE '^  state +complete$' out || fail "it is not complete"
tmd verify files/compoundn.jsonl --seconds 1 --device 0
[[ $status -eq 1 ]] || fail "status $status, not 1, of a part"
grep -qE "^entries +ok " out || fail "entries with a negative x"
grep -qE '^searched again +ok ' out || fail "not searched again"
sed '2,60d' files/compoundn.jsonl >lacking.jsonl
tmd verify lacking.jsonl --seconds 5 --device 0
[[ $status -eq 4 ]] || fail "status $status where cases are missing"
