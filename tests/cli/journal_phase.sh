#!/usr/bin/env bash
# A binade of the phase walk that ends in any way is resumed within it, and its files are those of an uninterrupted
# search.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# Some forty parts, in some tenths of a second.
long=(search sin --format p30 --from 0x1p+10 --to 0x1p+11 --algorithm phase --bits 20 --quiet --reproducible)
mkdir whole
succeeds "${long[@]}" # kernels are built
begin=$(date +%s%N)
succeeds "${long[@]}" --wc whole/list.wc --json whole/log.jsonl
took=$((($(date +%s%N) - begin) / 1000000)) # milliseconds
[[ $(grep -c '^{"type":"claimed",' whole/list.wc.journal) -gt 20 ]] || fail "the binade was not searched in parts"
[[ $(grep -c '^{"type":"claim",' whole/list.wc.journal) -eq 1 ]] || fail "not one claim"
# Only the command differs.
same_files() {
  cmp -s <(sed 's/ with: .*//; /^# Request: /d' files/list.wc) <(sed 's/ with: .*//; /^# Request: /d' whole/list.wc) || fail "$1: not the list"
  cmp -s <(sed '1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//' files/log.jsonl) <(sed '1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//' whole/log.jsonl) || fail "$1: not the records"
}
# parts_of JOURNAL: prints the number of its parts.
parts_of() { grep -c '^{"type":"claimed",' "$1" 2>/dev/null || true; }

# The search is killed at random moments, and resumed by the same command or by `resume`, until there are parts of
# several runs.
RANDOM=1
went_on=0
for ((round = 0; round < 3 || (round < 30 && went_on == 0); ++round)); do
  rm -f files/*
  command=("${long[@]}" --wc files/list.wc --json files/log.jsonl)
  for ((attempt = 0; attempt < 4; ++attempt)); do
    before=$(parts_of files/list.wc.journal)
    status=0
    milliseconds=$((RANDOM % took))
    { timeout --signal KILL "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))" "$TMD" "${command[@]}" >out 2>err || status=$?; } 2>/dev/null
    [[ $status -eq 137 || $status -eq 0 ]] || fail "round $round: status $status"
    if [[ ${before:-0} -gt 0 && $(parts_of files/list.wc.journal) -gt ${before:-0} ]]; then went_on=$((went_on + 1)); fi
    if [[ $status -eq 0 ]]; then break; fi
    if [[ $(parts_of files/list.wc.journal) -gt 0 && $((round % 2)) -eq 1 ]]; then
      command=(resume files/list.wc.journal --quiet)
    fi
  done
  if [[ $status -ne 0 ]]; then succeeds "${command[@]}"; fi
  same_files "round $round"
done
[[ $went_on -ge 1 ]] || fail "no run went on within the binade: the test tests nothing"

# A part of a journal is resumed. Every line was whole once.
lines=$(grep -c '' whole/list.wc.journal)
for keep in 5 $((lines / 2)) $((lines - 1)); do
  rm -f files/*
  head -n "$keep" whole/list.wc.journal >a.journal
  printf '{"type":"claimed","claim":0,"pl' >>a.journal
  succeeds status a.journal --json status.json
  grep -qE '^  arguments  0 of 536870912 covered, [1-9][0-9]* more in unfinished binades \(' out || fail "$keep lines: status without what is begun"
  grep -qE '"arguments":"0","begun":"[1-9][0-9]*","of":"536870912",' status.json || fail "$keep lines: the record without what is begun"
  succeeds resume a.journal --wc files/list.wc --json files/log.jsonl
  same_files "$keep lines"
  # Nothing was done twice.
  succeeds status a.journal
  grep -q '^  arguments  536870912 of 536870912 covered (100' out || fail "$keep lines: status does not say that it is complete"
  grep -q '^  device .*: 536870912 arguments,' out || fail "$keep lines: not each argument once"
done

# A partly searched binade is named where it does not count.
head -n $((lines / 2)) whole/list.wc.journal >a.journal
tmd merge a.journal
[[ $status -eq 2 ]] && grep -q "^tmd: note: 'a.journal' has [0-9]* of the 536870912 arguments from 0x1p+10 on, which count when all" err ||
  fail "merge: status $status, or not a word of what is begun"
grep -q '^tmd: 536870912 of 536870912 arguments are in no part: ' err || fail "merge: not the gap"
succeeds merge whole/list.wc.journal a.journal
succeeds verify whole/list.wc.journal
tmd verify a.journal
[[ $status -le 1 ]] || fail "verify of a part: status $status"

# Another method cannot use a partly searched binade, and the search says so.
rm -f files/*
head -n $((lines / 2)) whole/list.wc.journal >files/list.wc.journal
small_part=(search sin --format p11 --from 0x1p+10 --to 0x1p+11 --bits 5 --quiet --reproducible)
succeeds "${small_part[@]}" --algorithm phase --wc small.wc
head -n 8 small.wc.journal >files/small.wc.journal
succeeds "${small_part[@]}" --algorithm exhaustive --wc files/small.wc
grep -q "^tmd: note: the 1024 arguments from 0x1p+10 on are now partitioned differently; " err || fail "no word of parts that are not used"
cmp -s <(sed 's/ with: .*//; /^# Request: /d' files/small.wc) <(sed 's/ with: .*//; /^# Request: /d' small.wc) || fail "not the list of the phase walk"
