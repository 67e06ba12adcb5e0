#!/usr/bin/env bash
# Files named .xz and .gz are packed, the same bytes for the same text; other programs and all commands read them.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

# same_as_plain FILE PLAIN: the unpacked FILE must equal PLAIN.
same_as_plain() {
  local unpack
  case $1 in *.xz) unpack=xz ;; *.gz) unpack=gzip ;; esac
  if ! command -v $unpack >/dev/null; then return; fi
  $unpack -t "$1" || fail "$1 is damaged"
  $unpack -dc "$1" | cmp -s - "$2" || fail "$1 is not $2"
}

succeeds functions --json files/plain.jsonl
for ending in xz gz; do
  succeeds functions --json files/functions.jsonl.$ending
  same_as_plain files/functions.jsonl.$ending files/plain.jsonl
  [[ $(wc -c <files/functions.jsonl.$ending) -lt $(($(wc -c <files/plain.jsonl) / 2)) ]] || fail ".$ending: not packed"
  cp files/functions.jsonl.$ending before
  sleep 1.1 # a time in its header would make it differ
  succeeds functions --json files/functions.jsonl.$ending
  cmp -s before files/functions.jsonl.$ending || fail ".$ending: not the same bytes"
  # Outputs of other forms are also packed, by the name that they were given.
  mkfifo pipe.$ending
  cat pipe.$ending >through &
  succeeds functions --json pipe.$ending
  wait $!
  cmp -s before through || fail ".$ending: not packed into a pipe"
  refuses 2 "cannot write 'missing/list.$ending': No such file or directory" functions --json missing/list.$ending
  mkdir folder.$ending
  refuses 2 "cannot write 'folder.$ending': Is a directory" functions --json folder.$ending
done
succeeds functions --json -
cmp -s out files/plain.jsonl || fail "standard output is packed"
status=0
"$TMD" functions --json /dev/full >out 2>err || status=$?
[[ $status -eq 2 ]] || fail "a full device: status $status"
rm files/*

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# Lists and records of a search can be read packed and plain alike.
range=(--from 1 --to 0x1.00000001p+0 --bits 20)
for ending in xz gz; do
  succeeds "${small[@]}" --wc files/list.wc.$ending --json files/log.jsonl.$ending
  for file in files/list.wc.$ending files/log.jsonl.$ending; do
    succeeds check exp "$file" "${range[@]}" --values-only
    grep -qx '4 entries in the range, 0 outside; 0 mistakes' out || fail "$file: tmd check does not read the four cases"
    succeeds libm exp "$file" --library libm.so.6
  done
  succeeds check exp files/list.wc.$ending "${range[@]}" --against files/log.jsonl.$ending
  refuses 2 "name the same file" "${small[@]}" --wc files/list.wc.$ending --json ./files/list.wc.$ending
done
