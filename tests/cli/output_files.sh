#!/usr/bin/env bash
# --wc and --json: places that cannot be written are refused before the run; the files have their formats.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

# A range that would take hours: the refusal must come first.
long=(search exp --from 1 --to 2)
mkdir folder
for option in --wc --json; do
  refuses 2 "cannot write 'folder': Is a directory" "${long[@]}" "$option" folder
  refuses 2 "cannot write 'folder/': Is a directory" "${long[@]}" "$option" folder/
  refuses 2 "cannot write 'missing/list': No such file or directory" "${long[@]}" "$option" missing/list
  refuses 2 "cannot write ''" "${long[@]}" "$option" ''
done
refuses 2 "cannot write 'folder': Is a directory" devices --json folder
refuses 2 "name the same file" "${long[@]}" --wc files/both --json ./files/both
refuses 2 "name the same file" "${long[@]}" --wc files/both --json "$scratch/files/both"
echo "mine" >kept
chmod a-w kept
ln -s kept link_to_kept
for option in --wc --json; do
  refuses 2 "cannot write 'kept': it is read-only" "${long[@]}" "$option" kept
  refuses 2 "cannot write 'link_to_kept': it is read-only" "${long[@]}" "$option" link_to_kept
done
[[ $(cat kept) == mine ]] || fail "a read-only file was changed"
# An option has taken the next one for its file's name.
refuses 2 "--json needs the name of a file; for one named '--wc' write ./--wc" "${long[@]}" --json --wc
refuses 2 "--wc needs the name of a file" "${long[@]}" --wc --quiet --json files/log.jsonl
refuses 2 "--json needs the name of a file" devices --json --help
refuses 2 "--output needs the name of a file" tune --output --quick
refuses 2 "--plot needs the name of a file" compare --plot --json
refuses 2 "name the same file, '-'" "${long[@]}" --wc - --json -
if [[ $(id -u) -ne 0 ]]; then
  chmod a-w folder
  refuses 2 "cannot write 'folder/list': Permission denied" "${long[@]}" --wc folder/list
fi
no_files

# A refused command leaves an existing file as it was.
echo "mine" >files/list.wc
refuses 2 "outside the domain" search log --from -1 --to 1 --wc files/list.wc
refuses 3 "no device fits" "${small[@]}" --wc files/list.wc --device 99
[[ $(cat files/list.wc) == mine ]] || fail "an existing file was changed"

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# CORE-MATH's list has comments, then one hex float a line, hardest first; an existing file is replaced.
succeeds "${small[@]}" --wc files/list.wc --json files/log.jsonl
grep -q '^# Hard-to-round cases of exp on \[1, 0x1.00000001p+0)' files/list.wc || fail "no heading in the list"
grep -q '^# Made by tmd .* with: tmd search exp --from 1 --to ' files/list.wc || fail "the list does not say how it was made"
grep -v '^#' files/list.wc >cases
printf '%s\n' 0x1.0000000050418p+0 0x1.0000000002d96p+0 0x1.000000008e156p+0 0x1.00000000927ffp+0 | cmp -s - cases ||
  fail "not the four cases: $(paste -sd' ' cases)"
[[ $(cd files && echo *) == "list.wc list.wc.journal log.jsonl" ]] || fail "not these three files: $(ls -A files)"
[[ $(stat -c %a files/list.wc) == "$(printf '%o' $((0666 & ~$(umask))))" ]] || fail "not the umask's permissions"

# Symbolic links are followed; devices and standard output are written as they are.
ln -s files/list.wc link
ln -s files/dangling.wc dangling
for name in link dangling; do
  succeeds "${small[@]}" --quiet --wc $name
  [[ -L $name && ! -L files/list.wc && $(grep -vc '^#' $name) -eq 4 ]] || fail "$name: a symbolic link was replaced"
done
succeeds "${small[@]}" --quiet --wc -
[[ ! -e ./- ]] || fail "--wc - makes a file"
grep -q '^0x1.0000000050418p+0$' out || fail "--wc - writes nothing to standard output"
succeeds "${small[@]}" --quiet --wc /dev/null
[[ -c /dev/null ]] || fail "/dev/null was replaced"
"$TMD" "${small[@]}" --quiet --wc /dev/stdout | grep -q '^0x1.0000000050418p+0$' || fail "--wc /dev/stdout writes nothing"
refuses_late=0
"$TMD" "${small[@]}" --quiet --wc /dev/full >out 2>err || refuses_late=$?
[[ $refuses_late -eq 2 ]] || fail "a full device: status $refuses_late, not 2"
grep -q "^tmd: cannot write '/dev/full': No space left on device" err || fail "a full device: not the sentence"

# A file that would grow beyond `ulimit -f` is an error with a sentence, and the results are kept.
status=0
(ulimit -f 1500 && exec "$TMD" search exp --from 1 --to 1+2^-30 --bits 6 --wc files/large.wc >out 2>err) || status=$?
[[ $status -eq 2 ]] || fail "ulimit -f: status $status, not 2"
grep -q "^tmd: cannot write .*File too large" err || fail "ulimit -f: not the sentence"
rm -f files/large.wc.journal

# If the limit of memory is too small, the program says so, where CPU runtimes would wait for ever.
status=0
(ulimit -v 700000 && exec timeout 60 "$TMD" "${small[@]}" >out 2>err) || status=$?
[[ $status -eq 3 ]] || fail "ulimit -v: status $status, not 3"
grep -q "ulimit -v" err || fail "ulimit -v: not the sentence"

# The command in a list can be pasted, and cannot break out of its comment.
succeeds "${small[@]}" --quiet --wc "files/it's
here.wc"
[[ $(grep -vc '^#' files/it*here.wc) -eq 4 ]] || fail "a file's name broke the list"

# Exact cases are listed separately; no case at all is a result too.
succeeds search exp2 --from 1 --to 4 --format binary16 --bits 6 --wc files/exp2.wc --json files/exp2.jsonl
grep -q "3 exact cases" out || fail "exp2 at 1, 2 and 3: not in the summary"
succeeds search exp --from 1 --to 0x1.00000001p+0 --bits 60 --wc files/none.wc --json files/none.jsonl
[[ $(grep -vc '^#' files/none.wc) -eq 0 ]] || fail "cases of 60 bits"

# JSON Lines: the records and keys that scripts rely on.
python3 -c '' 2>/dev/null || skip "the JSON Lines: no python3"
python3 - files/log.jsonl files/exp2.jsonl files/none.jsonl <<'PYTHON'
import json, sys

def check(condition, what):
    if not condition:
        sys.exit("FAILED: " + name + ": " + what)

for name in sys.argv[1:]:
    text = open(name).read()
    check(text.endswith("\n"), "the last line has no end")
    records = [json.loads(line) for line in text.splitlines()]
    search, summary, middle = records[0], records[-1], records[1:-1]
    check(search["type"] == "search" and summary["type"] == "summary", "first or last record")
    check({"function", "format", "from", "to", "rounding", "bits", "algorithm", "device", "profile", "ledger"}
          <= search.keys(), "keys of the search record: " + " ".join(search))
    check({"arguments", "cases", "phase1", "phase2", "phase3", "polynomials", "seconds"} <= summary.keys(),
          "keys of the summary: " + " ".join(summary))
    for phase in "phase1", "phase2", "phase3":
        check(list(summary[phase]) == ["domains", "survivors", "seconds"], "keys of " + phase)
    check(list(summary["polynomials"]) == ["seconds"], "keys of polynomials")
    cases = [record for record in middle if record["type"] == "case"]
    exact = [record for record in middle if record["type"] == "exact"]
    check(len(cases) + len(exact) == len(middle), "records of another type")
    for record in cases:
        check(list(record) == ["type", "x", "bits", "breakpoint"], "keys of a case")
        check(record["bits"] >= search["bits"], "a case below K bits")
    for record in exact:
        check(list(record) == ["type", "x", "breakpoint"], "keys of an exact case")
    for record in middle:
        check(record["breakpoint"] in ("representable", "midpoint"), "breakpoint")
        x = float.fromhex(record["x"])
        check(float.fromhex(search["from"]) <= x < float.fromhex(search["to"]), "a case outside the range")
    check([r["bits"] for r in cases] == sorted((r["bits"] for r in cases), reverse=True), "not hardest first")
    check(summary["cases"] == len(cases) and summary["exact"] == str(len(exact)), "counts of the summary")
    if name == "files/log.jsonl":
        check(summary["arguments"] == str(2**20) and len(cases) == 4, "the small search")
        check(cases[0] == {"type": "case", "x": "0x1.0000000050418p+0", "bits": 22.0988, "breakpoint": "representable"},
              "the hardest case")
        check(len(search["ledger"]) == 1 and search["ledger"][0]["epsilon"] == 2.0**-20, "the ledger")
    if name == "files/exp2.jsonl":
        check([float.fromhex(r["x"]) for r in exact] == [1, 2, 3], "exact cases of exp2")
PYTHON
