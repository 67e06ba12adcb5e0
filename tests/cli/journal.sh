#!/usr/bin/env bash
# Searches that end in any way are resumed from their journals, and find what they would have found.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

refuses 2 "no journal given" resume
refuses 2 "no journal given" status
refuses 2 "there is no journal 'none'" resume none
refuses 2 "one journal at a time" resume one two
refuses 2 "cannot read 'none'" status none
refuses 2 "--journal and --no-journal exclude each other" search exp --from 1 --to 2 --journal a --no-journal
refuses 2 "--journal needs the name of a file" search exp --from 1 --to 2 --journal --quiet
echo "no journal" >list
refuses 2 "'list' is neither a list nor records of this program, not a journal" status list
refuses 2 "'list' is neither a list nor records of this program, not a journal" resume list
: >empty
refuses 2 "the journal 'empty' is empty" status empty
refuses 2 "the journal 'empty' is empty: start the search again" resume empty

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# Whole binary32, some hundred parts, regimes among them: about a second.
long=(search exp --format binary32 --bits 20 --quiet --reproducible)
mkdir whole
succeeds "${long[@]}" # kernels are built
begin=$(date +%s%N)
succeeds "${long[@]}" --wc whole/list.wc --json whole/log.jsonl
took=$((($(date +%s%N) - begin) / 1000000)) # milliseconds
# Only the command differs.
same_files() {
  cmp -s <(sed 's/ with: .*//; /^# Request: /d' files/list.wc) <(sed 's/ with: .*//; /^# Request: /d' whole/list.wc) || fail "$1: not the list"
  cmp -s <(sed '1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//' files/log.jsonl) <(sed '1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//' whole/log.jsonl) || fail "$1: not the records"
}

seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

# Killed at random moments, during the start, the journal's and the outputs' writing among them; it goes on by the same
# command or by `resume`. Kills are counted by what they hit.
RANDOM=1
kills=0
went_on=0
rounds=2
if [[ -n ${TMD_TEST_ALL:-} ]]; then rounds=4; fi
for ((round = 0; round < rounds || (round < 40 && (kills < 4 || went_on == 0)); ++round)); do
  rm -f files/*
  command=("${long[@]}" --wc files/list.wc --json files/log.jsonl)
  for ((attempt = 0; attempt < 5; ++attempt)); do
    status=0
    { timeout --signal KILL "$(seconds $((RANDOM % took)))" "$TMD" "${command[@]}" >out 2>err || status=$?; } 2>/dev/null
    [[ $status -eq 137 || $status -eq 0 ]] || fail "round $round: status $status"
    if grep -q '^tmd: note: the search goes on from ' err; then went_on=$((went_on + 1)); fi
    if [[ $status -eq 0 ]]; then break; fi
    kills=$((kills + 1))
    if [[ $(grep -c '' files/list.wc.journal 2>/dev/null) -gt 1 && $((round % 2)) -eq 1 ]]; then
      "$TMD" status files/list.wc.journal >out || fail "round $round: no status"
      command=(resume files/list.wc.journal --quiet)
    fi
  done
  if [[ $status -ne 0 ]]; then succeeds "${command[@]}"; fi
  same_files "round $round"
done
[[ $kills -ge 4 && $went_on -ge 1 ]] || fail "$kills kills, and $went_on times it went on: the test tests nothing"

goes_on="\`tmd resume files/list.wc.journal\` resumes it"
# Stopped by the user, it names the command that resumes it.
rm -f files/*
for ((attempt = 1; attempt < 30; ++attempt)); do
  status=0
  env --default-signal=INT timeout --preserve-status --signal INT "$(seconds $((took * (attempt % 9 + 2) / 12)))" "$TMD" "${long[@]}" --wc files/list.wc \
    --json files/log.jsonl >out 2>err || status=$?
  [[ $status -eq 130 || $status -eq 0 ]] || fail "SIGINT: status $status"
  if [[ $status -eq 0 ]]; then rm -f files/*; continue; fi
  if grep -qF "$goes_on" err; then break; fi
done
grep -qF "$goes_on" err || fail "SIGINT: no word of how it goes on"
succeeds status files/list.wc.journal --json status.json
grep -q '^  state  *interrupted$' out || fail "status: not that it was interrupted"
grep -q '"type":"status".*"state":"interrupted"' status.json || fail "status --json: not the record"

# Nearly all of a whole function is known at once, which says nothing about the speed of the rest.
key() { grep -oE "\"$1\":\"?[0-9.e+]+" status.json | head -1 | grep -oE '[0-9.e+]+$' || echo 0; }
for seconds in 2 4 8 16 32; do # as long as it takes until some arguments are searched
  rm -f files/*
  status=0
  env --default-signal=INT timeout --preserve-status --signal INT $seconds "$TMD" search exp --bits 44 --wc files/whole.wc >out 2>err ||
    status=$?
  [[ $status -eq 130 ]] || fail "a whole function, SIGINT: status $status"
  succeeds status files/whole.wc.journal --json status.json
  if [[ $(key arguments_per_second) != 0 ]]; then break; fi
done
awk -v rate="$(key arguments_per_second)" -v seconds="$(key seconds)" -v covered="$(key arguments)" \
  'BEGIN { exit !(covered > 0 && rate > 0 && rate * seconds < covered / 10) }' || fail "status: what is known at once counts as searched"

# A half of a journal is resumed, on another device, elsewhere, with other names for the files. Every line was whole
# once.
lines=$(grep -c '' whole/list.wc.journal)
for keep in 3 $((lines / 2)) $((lines - 1)); do
  rm -rf elsewhere files/*
  mkdir elsewhere
  head -n "$keep" whole/list.wc.journal >elsewhere/a.journal
  printf '{"type":"part","first":"0x1' >>elsewhere/a.journal
  succeeds status elsewhere/a.journal
  other=(--device cpu)
  if [[ $keep -eq $((lines - 1)) || -n ${TMD_TEST_ALL:-} ]]; then other+=(--cpu-mode scalar); fi
  succeeds resume elsewhere/a.journal "${other[@]}" --wc files/list.wc --json files/log.jsonl
  grep -q '^tmd: note: the last line of the journal .* was incomplete, and is dropped$' err || fail "$keep lines: no word of the torn one"
  same_files "$keep lines"
  rm files/*
  succeeds resume elsewhere/a.journal # beside it, as the search's options say: whole/ had list.wc beside the journal
  [[ -e elsewhere/list.wc && -e elsewhere/log.jsonl ]] || fail "$keep lines: not the files of the search"
  cmp -s elsewhere/list.wc whole/list.wc && cmp -s elsewhere/log.jsonl whole/log.jsonl || fail "$keep lines: other bytes"
done
succeeds status elsewhere/a.journal
grep -q '^  state  *complete$' out || fail "status: not that it is complete"

# A journal that is complete begins anew; an unfinished one belongs to one search only.
head -n 20 whole/list.wc.journal >files/list.wc.journal
refuses 2 "is of another search, which has not ended, exp on " search exp --format binary32 --bits 21 --wc files/list.wc
refuses 2 "is of another search" "${small[@]}" --journal files/list.wc.journal
sed '1s/"kernels":"[^"]*"/"kernels":"0123456789abcdef"/' files/list.wc.journal >other.journal
refuses 2 "line 1: it is damaged" resume other.journal
succeeds "${small[@]}" --quiet --wc files/list.wc --no-journal
cp whole/list.wc.journal files/list.wc.journal
succeeds "${small[@]}" --quiet --wc files/list.wc
grep -q '0x1.00000001p+0' files/list.wc.journal || fail "a journal that had ended did not begin anew"
# The kernels are not those of the journal.
cp -r "${TMD_TESTS}/../cl_kernels" other_kernels
echo "// another" >>other_kernels/wide/groups.cl
head -n 20 whole/list.wc.journal >files/list.wc.journal
TMD_KERNEL_PATH=other_kernels tmd resume files/list.wc.journal --foreign-kernels
[[ $status -eq 2 ]] && grep -q "^tmd: the journal '.*' is of tmd .*, and this is tmd .*: --other-version goes on with it$" err || fail "other kernels: status $status, or not the sentence"

# Two searches use one journal at a time.
"$TMD" search exp --from 1 --to 2 --wc files/two.wc >out2 2>err2 &
pid=$!
for ((waited = 0; waited < 600; ++waited)); do
  if grep -qs "^on device" out2; then break; fi
  sleep 0.1
done
refuses 2 "another search is writing it" resume files/two.wc.journal
tmd search exp --from 1 --to 2 --quiet --wc files/two.wc
[[ $status -eq 2 ]] && grep -q "another search is writing it" err || fail "two searches on a journal: status $status"
succeeds status files/two.wc.journal
grep -q '^  state  *running$' out || fail "status: not that it is running"
# A killed search leaves the journal readable.
kill -s KILL "$pid"
wait "$pid" 2>/dev/null || true
succeeds status files/two.wc.journal
grep -q '^  state  *interrupted$' out || fail "status: not that a killed search is interrupted"

# Places that cannot be written.
if [[ $(id -u) -ne 0 ]]; then
  mkdir closed
  chmod a-w closed
  refuses 2 "cannot write the journal 'closed/a.journal': Permission denied" "${small[@]}" --journal closed/a.journal
fi
mkdir folder
tmd "${small[@]}" --quiet --journal folder
[[ $status -eq 2 ]] && grep -q "cannot write the journal 'folder'" err || fail "a folder as journal: status $status"

# The disk is full, at every size: a sentence, and the earlier results are resumed elsewhere.
mkdir small_disk
if mount -t tmpfs -o size=16m none small_disk 2>/dev/null; then
  trap 'umount small_disk 2>/dev/null || true; rm -rf "$scratch"' EXIT
  size=$(stat -c %s whole/list.wc.journal)
  for free in 0 ${TMD_TEST_ALL:+4096} $((size / 2)) $((size + 4096)) $((size + 40960)); do
    rm -f small_disk/*
    head -c $((16 * 1024 * 1024 - (free + 4095) / 4096 * 4096)) /dev/zero >small_disk/fill 2>/dev/null || true
    tmd "${long[@]}" --wc small_disk/list.wc --json small_disk/log.jsonl
    if [[ $status -ne 0 ]]; then
      [[ $status -eq 2 ]] && grep -qE "^tmd: cannot write .*: No space left on device$" err || fail "$free bytes free: status $status, or not the sentence"
      rm small_disk/fill
      if [[ $(grep -c '' small_disk/list.wc.journal 2>/dev/null) -gt 1 ]]; then
        succeeds resume small_disk/list.wc.journal --quiet
      else
        succeeds "${long[@]}" --wc small_disk/list.wc --json small_disk/log.jsonl
      fi
    fi
    rm -f files/*
    cp small_disk/list.wc small_disk/log.jsonl files/
    same_files "$free bytes free"
  done
  umount small_disk
fi
