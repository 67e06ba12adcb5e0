#!/usr/bin/env bash
# Journals, results and parts name the program that made them: version, commit and kernels. Those of another program are
# refused, or accepted with --other-version, which the result records.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
python3 -c '' 2>/dev/null || skip "no python3"

succeeds --version
commit=$(sed -nE 's/.*\(commit ([^,]*), .*/\1/p' out)
long=(search exp --format binary32 --bits 20) # some hundred parts
succeeds "${long[@]}" --quiet --wc whole.wc --json whole.jsonl
head -n 1 whole.jsonl | grep -qF "\"commit\":\"$commit\"" || fail "the records do not say the commit"
head -n 1 whole.wc.journal | grep -qF "\"commit\":\"$commit\"" || fail "the journal does not say the commit"
grep -qE "^# Made by tmd [0-9.]+ \(commit $commit\) with: tmd search exp " whole.wc || fail "the list does not say the commit"
if grep -q other_programs whole.jsonl; then fail "one program is told as two"; fi

# made_by COMMIT FROM TO LINES: makes so many lines of a journal as that commit writes them, or, without a commit, as
# version 0.1.0 does.
made_by() {
  python3 - "$@" <<'PYTHON'
import json, sys, zlib
commit, source, target, lines = sys.argv[1:]
with open(target, "w") as out:
    for line in open(source).read().splitlines()[: int(lines)]:
        record = json.loads(line)
        del record["crc"]
        if record["type"] in ("journal", "run"):
            record["commit"] = commit
            if not commit and record["type"] == "run":
                record = {key: record[key] for key in ("type", "begun", "seq")}
            elif not commit:
                del record["commit"]
                record["version"] = "0.1.0"
        text = json.dumps(record, separators=(",", ":"))[:-1]
        out.write('%s,"crc":"%08x"}\n' % (text, zlib.crc32(text.encode())))
PYTHON
}

cases() { grep -v '^#' "$1"; }
all=$(grep -c '' whole.wc.journal)
other="is of tmd 0\.[12]\.0 \((commit fedcba987654, )?kernels [0-9a-f]{16}\), and this is tmd 0\.[0-9.]+ \(commit $commit, kernels "
for by in fedcba987654 ""; do
  # The journal is unfinished.
  made_by "$by" whole.wc.journal files/list.wc.journal $((all - 20))
  cp files/list.wc.journal before
  succeeds status files/list.wc.journal
  refuses 2 ": --other-version goes on with it" resume files/list.wc.journal
  grep -qE "^tmd: the journal 'files/list.wc.journal' $other" err || fail "resume, '$by': not both programs"
  tmd "${long[@]}" --quiet --wc files/list.wc
  [[ $status -eq 2 ]] && grep -qE "$other" err || fail "search, '$by': status $status, or not the sentence"
  cmp -s files/list.wc.journal before || fail "'$by': what is refused has changed"
  succeeds resume files/list.wc.journal --other-version --quiet --wc files/list.wc --json files/log.jsonl
  grep -qE "^tmd: note: the journal .* $other" err || fail "resume --other-version, '$by': no note"
  cmp -s <(cases files/list.wc) <(cases whole.wc) || fail "resume --other-version, '$by': not the list"
  head -n 1 files/log.jsonl | grep -qE "\"commit\":\"$commit\".*\"other_programs\":\[\{\"version\":\"0\.[12]\.0\",\"commit\":(\"fedcba987654\"|null)," ||
    fail "'$by': the records do not name both programs"
  grep -qE "^# Also found by tmd 0\.[12]\.0 \(" files/list.wc || fail "'$by': the list does not name both programs"
  succeeds verify files/list.wc --no-search
  succeeds verify files/log.jsonl --no-search
  # A journal of both programs belongs to neither alone; its files are made again from it.
  rm files/list.wc files/log.jsonl
  refuses 2 "--other-version goes on with it" "${long[@]}" --quiet --wc files/list.wc
  succeeds "${long[@]}" --quiet --wc files/list.wc --other-version
  cmp -s <(cases files/list.wc) <(cases whole.wc) || fail "search --other-version, '$by': not the list"
  rm files/*
done

# Parts are merged.
succeeds search exp --from 1 --to 1+2^-14 --bits 30 --quiet --wc one.wc
succeeds search exp --from 1+2^-14 --to 1+2^-13 --bits 30 --quiet --json two.jsonl
succeeds search exp --from 1 --to 1+2^-13 --bits 30 --quiet --wc both.wc
made_by fedcba987654 one.wc.journal other.journal "$(grep -c '' one.wc.journal)"
refuses 2 "'two.jsonl' was found by tmd 0." merge other.journal two.jsonl
succeeds merge other.journal two.jsonl --other-version --quiet --wc merged.wc --json merged.jsonl
grep -qE "^tmd: note: the parts were found by tmd .* and tmd .*: the result names all$" err || fail "merge: no note"
cmp -s <(cases merged.wc) <(cases both.wc) || fail "merge: not the list"
grep -q "^# Also found by tmd 0.*(commit $commit," merged.wc || fail "merge: the list does not name both"
head -n 1 merged.jsonl | grep -qE '"commit":"fedcba987654".*"other_programs":\[' || fail "merge: the records do not name both"

# In a job file, results of another program are made again, or used as they are; its journals are not lost.
cat >jobs.toml <<'END'
[[search]]
name = "exp"
function = "exp"
format = "binary32"
bits = 20
END
succeeds run jobs.toml --into runs
sed -i "1s/\"commit\":\"[^\"]*\"/\"commit\":\"fedcba987654\"/" runs/exp.jsonl
succeeds run jobs.toml --into runs --other-version
grep -q '^exp: .*(done before)$' out || fail "run --other-version: done again"
rm runs/exp.jsonl runs/exp.wc
made_by fedcba987654 whole.wc.journal runs/exp.journal $((all - 20))
cp runs/exp.journal before
tmd run jobs.toml --into runs
[[ $status -eq 2 ]] && grep -q -- "--other-version goes on with it" err || fail "run, a journal of another: status $status"
cmp -s runs/exp.journal before || fail "run: a journal of another program has changed"
succeeds run jobs.toml --into runs --other-version
cmp -s <(cases runs/exp.wc) <(cases whole.wc) || fail "run --other-version: not the list"
succeeds run jobs.toml --into runs
if grep -q "(done before)" out; then fail "run: a result of two programs counts as one of this"; fi
