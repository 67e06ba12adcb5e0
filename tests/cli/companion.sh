#!/usr/bin/env bash
# Where tgamma lies beside 1/x, one record describes many binades: in every kind of file, merged, checked, and written
# out.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

whole=(tgamma --format bfloat16 --values format --from 2^-126 --to 2^-20 --bits 4)
succeeds search "${whole[@]}" --wc files/whole.wc --json files/whole.jsonl
grep -q 'of them cases, those of 1/x in every binade$' out || fail "the range is not told"
grep -q '^# Range .* of them cases, those of 1/x in every binade, with the significands 0x1p+0 ' files/whole.wc ||
  fail "the range is not in the list"
grep -q '"type":"range".*"cases":"some","count":"[0-9]*","beside":"1/x","significands":\["0x1p+0",' files/whole.jsonl ||
  fail "no record"
for file in files/whole.wc files/whole.jsonl; do
  succeeds verify $file
done
for wrong in 's/"beside":"1.x"/"beside":"x"/' 's/"significands":\["0x1p+0",/"significands":[/' \
  's/"significands":\["0x1p+0",/&"0x1.02p+0",/' 's/"count":"/&1/'; do
  sed "$wrong" files/whole.jsonl >files/wrong.jsonl
  if cmp -s files/whole.jsonl files/wrong.jsonl; then fail "$wrong changes nothing"; fi
  tmd verify files/wrong.jsonl --no-search
  [[ $status -eq 4 ]] || fail "$wrong: status $status, not 4"
done

# Written out, the cases are those of a search of a single binade, and both ways agree.
succeeds merge files/whole.jsonl --expand --json files/all.jsonl --wc files/all.wc
if grep -q '"type":"range"' files/all.jsonl; then fail "a range that was not written out"; fi
succeeds verify files/all.jsonl
counts=$(sed -n 's/.*"cases":\([0-9]*\),.*"cases_in_ranges":"\([0-9]*\)".*/\1 \2/p' files/whole.jsonl)
[[ $(grep -c '"type":"case"' files/all.jsonl) -eq $((${counts% *} + ${counts#* })) ]] || fail "not as many as counted"
succeeds search "${whole[@]}" --from 2^-100 --to 2^-99 --json files/one.jsonl
grep -q '"type":"case"' files/one.jsonl || fail "a binade without a case"
if grep -q '"type":"range"' files/one.jsonl; then fail "a range of a single binade"; fi
for parts in "whole all" "all whole" "whole one" "one whole"; do
  succeeds merge "files/${parts% *}.jsonl" "files/${parts#* }.jsonl"
done
sed -i '0,/"type":"case"/{/"type":"case"/d}' files/one.jsonl
sed -i "s/\"cases\":$(($(grep -c '"type":"case"' files/one.jsonl) + 1)),/\"cases\":$(grep -c '"type":"case"' files/one.jsonl),/" files/one.jsonl
refuses 4 "only one of them has it among its cases" merge files/one.jsonl files/whole.jsonl

# Shards and a resumed search have the same ranges.
for shard in 1 2 3; do
  succeeds search "${whole[@]}" --shard $shard/3 --json files/$shard.jsonl
done
succeeds merge files/{1,2,3}.jsonl --json files/joined.jsonl
ranges() { grep '"type":"range"' "$1"; }
[[ $(ranges files/joined.jsonl) == "$(ranges files/whole.jsonl)" ]] || fail "the shards have other ranges"
succeeds search "${whole[@]}" --wc files/again.wc
head -n 4 files/again.wc.journal >files/cut.wc.journal
cp files/cut.wc.journal files/again.wc.journal
rm files/again.wc
succeeds resume files/again.wc.journal
[[ $(grep -v '^# Made\|^# Request' files/again.wc) == "$(grep -v "^# Made\|^# Request" files/whole.wc)" ]] ||
  fail "not the same where it went on"

succeeds search "${whole[@]}" --dry-run
grep -q '^ *[0-9]* in ranges whose cases are those of one binade$' out || fail "--dry-run does not know"
