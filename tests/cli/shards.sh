#!/usr/bin/env bash
# Shards of a search, and parts of any kind, make up the whole when they are merged.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

refuses 2 "--shard takes I/N" search exp --from 1 --to 2 --shard 3
refuses 2 "the I of --shard I/N must be an integer from 1 to 3, not '4'" search exp --from 1 --to 2 --shard 4/3
refuses 2 "the N of --shard I/N must be an integer from 1 to 100000, not '0'" search exp --from 1 --to 2 --shard 1/0
refuses 2 "a range of 4 arguments has no 5 parts" search exp --from 1 --to 0x1.4p+0 --format p5 --shard 1/5 --dry-run
refuses 2 "no results given" merge
refuses 2 "cannot read 'none'" merge none

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

cases() { grep -v '^#' "$1"; }
# Prints the records except the first, which says how they were made.
records() { tail -n +2 "$1"; }

# shard NAME ARGUMENT...: makes all shards of a search as NAME.1 …, of $count.
shard() {
  rm -f "$1".*[0-9].jsonl
  local name=$1 i
  shift
  for ((i = 1; i <= count; ++i)); do
    tmd "$@" --quiet --reproducible --shard "$i/$count" --wc "$name.$i.wc" --json "$name.$i.jsonl"
    [[ $status -eq 0 || $status -eq 1 ]] || fail "$name, shard $i of $count: status $status"
  done
}

# shellcheck disable=SC2034  # used through a reference
both=(search exp --format binary16 --bits 8) # both signs, regimes, all of it
# shellcheck disable=SC2034
left=(search sin --format bfloat16 --bits 5) # a part of it is left out
near=(search exp --from 1 --to 0x1.00001p+0 --bits 24) # one piece
for name in both left near; do
  declare -n arguments=$name
  tmd "${arguments[@]}" --quiet --reproducible --wc "$name.wc" --json "$name.jsonl"
  whole=$status
  counts=(2)
  if [[ $name == both ]]; then counts=(7); fi
  if [[ -n ${TMD_TEST_ALL:-} ]]; then counts=(2 7); fi
  for count in "${counts[@]}"; do
    shard "$name" "${arguments[@]}"
    journals=()
    for ((i = 1; i <= count; ++i)); do journals+=("$name.$i.wc.journal"); done
    tmd merge "${journals[@]}" --quiet --wc merged.wc --json merged.jsonl
    [[ $status -eq $whole ]] || fail "$name in $count: status $status, not $whole"
    cmp -s <(cases merged.wc) <(cases "$name.wc") || fail "$name in $count: not the list"
    cmp -s <(records merged.jsonl) <(records "$name.jsonl") || fail "$name in $count: not the records"
    # They are merged in any order, and some of them twice.
    tmd merge "${journals[@]:1}" "${journals[0]}" "${journals[@]}" --quiet --wc merged.wc --json merged.jsonl
    [[ $status -eq $whole ]] || fail "$name in $count, some twice: status $status"
    cmp -s <(records merged.jsonl) <(records "$name.jsonl") || fail "$name in $count, some twice: not the records"
    # Results instead of journals have bits to four decimals: cases with equal bits may change places.
    tmd merge "${journals[0]}" "$name".*[0-9].jsonl --quiet --wc merged.wc --json merged.jsonl
    [[ $status -eq $whole ]] || fail "$name in $count, from records: status $status"
    cmp -s <(records merged.jsonl | sort) <(records "$name.jsonl" | sort) || fail "$name in $count, from records: not the records"
    # One part is missing: its arguments are named.
    refuses 2 "arguments are in no part: [" merge "${journals[@]:1}"
    tmd merge "${journals[@]:1}" --allow-gaps --quiet --wc gaps.wc --json gaps.jsonl
    [[ $status -eq 1 ]] || fail "$name in $count, with a gap: status $status, not 1"
    grep -q 'arguments not searched, for it is in none of the parts$' gaps.wc || fail "$name in $count: the list does not name the gap"
    grep -q '"cases":"not searched","why":"gap"}$' gaps.jsonl || fail "$name in $count: no record of the gap"
  done
done

# Many parts of a small search.
count=11
shard many search log --from 1 --to 2 --format binary16 --argument-precision 16 --bits 8
succeeds merge many.*.journal --quiet --wc merged.wc
succeeds search log --from 1 --to 2 --format binary16 --argument-precision 16 --bits 8 --quiet --wc many.wc
cmp -s <(cases merged.wc) <(cases many.wc) || fail "many shards: not the list"

# Ranges made by hand overlap; parts of other jobs are refused.
succeeds search exp --from 1 --to 0x1.00000cp+0 --bits 24 --quiet --wc one.wc
succeeds search exp --from 0x1.000004p+0 --to 0x1.00001p+0 --bits 24 --algorithm regular --quiet --wc two.wc
succeeds search exp --from 0x1.000004p+0 --to 0x1.00001p+0 --bits 25 --quiet --wc other.wc
succeeds merge one.wc.journal two.wc.journal --quiet --wc merged.wc
cmp -s <(cases merged.wc) <(cases near.wc) || fail "two that overlap: not the list"
refuses 2 "is of another job than 'one.wc.journal'" merge one.wc.journal other.wc.journal
tmd "${near[@]:0:5}" 0x1.00002p+0 --bits 24 --shard 1/2 --quiet --wc further.wc
refuses 2 "'near.1.wc.journal' and 'further.wc.journal' are shards of different ranges" merge further.wc.journal near.1.wc.journal

# A part contradicts another one's results, with all its checks in order.
python3 -c '' 2>/dev/null || skip "a journal that lies: no python3"
python3 - two.wc.journal lying.journal <<'PYTHON'
import json, sys, zlib
lines = open(sys.argv[1]).read().splitlines()
with open(sys.argv[2], "w") as out:
    for line in lines:
        record = json.loads(line)
        del record["crc"]
        if record["type"] == "part":
            record["found"] = record["found"][1:] if record["found"] else []
        text = json.dumps(record, separators=(",", ":"))[:-1]
        out.write('%s,"crc":"%08x"}\n' % (text, zlib.crc32(text.encode())))
PYTHON
tmd merge two.wc.journal lying.journal --quiet
[[ $status -eq 4 ]] || fail "a journal that lies: status $status, not 4"
grep -qE "^tmd: 'lying.journal' and what was read before have both searched 0x1.00000[0-9a-f]+p\+0, but give different results for it$" err ||
  fail "a journal that lies: not the sentence"
