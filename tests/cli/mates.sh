#!/usr/bin/env bash
# tmd search sin,cos: a list of functions makes the files that each of them makes alone; the walks for sin serve cos,
# also in `tmd run`.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

range=(--format binary32 --from 0x1p+12 --to 0x1p+13 --bits 20)
# Bad lists are refused before anything runs.
for option in wc json journal; do
  refuses 2 "--$option: several functions need a file each: write % for the function's name, not 'files/a'" \
    search sin,cos "${range[@]}" "--$option" files/a
done
refuses 2 "not 'files/a'" search sin,cos "${range[@]}" --wc files/%.wc --json=files/a
for list in ",sin" "sin," "sin,,cos" ","; do
  refuses 2 "empty function name in '$list'" search "$list" "${range[@]}"
done
refuses 2 "'sin,cos,sin' names sin twice" search sin,cos,sin "${range[@]}"
refuses 2 "unknown function 'nosuch'" search sin,nosuch "${range[@]}" --wc files/%.wc
refuses 2 "unknown function 'coss'; \`tmd functions\` lists them; did you mean 'cos'?" search sin,coss "${range[@]}"
refuses 2 "unexpected argument 'cos'" search sin,tan cos "${range[@]}"
no_files

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# same_files FOLDER FUNCTION...: the lists and records of each must be those that it makes alone, except for the
# commands.
same_files() {
  local folder=$1 f
  for f in "${@:2}"; do
    cmp -s <(sed 's/ with: .*//; /^# Request: /d' "$folder/$f.wc") <(sed 's/ with: .*//; /^# Request: /d' "alone/$f.wc") || fail "$folder: not the list of $f alone"
    cmp -s <(sed '1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//' "$folder/$f.jsonl") <(sed '1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//' "alone/$f.jsonl") ||
      fail "$folder: not the records of $f alone"
  done
}
# windows FILE: prints how many windows were walked, by its records.
windows() { sed -n 's/.*"type":"summary".*"phase_walk":{"windows":\([0-9]*\),.*/\1/p' "$1"; }

# Prints the rows of stages and bits in the last command's output.
tables() { grep -E '^ +([0-9.]+|bits)  ' out; }

# The files are the same, also for arguments below those that are walked, and with a function in between that has no
# companion.
several=(--format binary32 --from 0x1.fp+8 --to 0x1p+11 --bits 20 --show all)
mkdir alone list kept
for f in sin cos tan; do
  succeeds search "$f" "${several[@]}" --reproducible --wc "alone/$f.wc" --json "alone/$f.jsonl"
  tables >"alone/$f.out"
done
succeeds search sin,tan,cos "${several[@]}" --reproducible --wc list/%.wc --json=list/%.jsonl
same_files list sin tan cos
cmp -s <(tables) <(cat alone/{sin,tan,cos}.out) || fail "not the tables of the three, one after the other"
[[ $(echo list/*.journal) == "list/cos.wc.journal list/sin.wc.journal list/tan.wc.journal" ]] || fail "not a journal each"
for f in sin cos tan; do
  grep -q "^# .* with: tmd search $f .*--wc list/$f.wc --json list/$f.jsonl .*" "list/$f.wc" || fail "not the command of $f alone"
  succeeds verify "list/$f.wc.journal" --no-search
done
for how in --no-journal "--journal kept/%.journal"; do
  rm -rf list/*
  # shellcheck disable=SC2086  # words
  succeeds search cos,sin "${several[@]}" --reproducible --wc list/%.wc --json list/%.jsonl $how
  same_files list sin cos
  [[ $(echo list/*) == "list/cos.jsonl list/cos.wc list/sin.jsonl list/sin.wc" ]] || fail "$how: not the files: $(ls list)"
done
[[ $(echo kept/*) == "kept/cos.journal kept/sin.journal" ]] || fail "--journal: not the files: $(ls kept)"
succeeds search sin,cos "${several[@]}"
cmp -s <(tables) <(cat alone/{sin,cos}.out) || fail "without files: not the tables of both"

# Once the findings of the first for the second are kept, the second has nothing to walk.
for how in "" --no-journal; do
  # shellcheck disable=SC2086  # perhaps none
  succeeds search sin,cos "${range[@]}" --wc list/%.wc --json list/%.jsonl $how
  [[ $(windows list/sin.jsonl) -gt 1000 && $(windows list/cos.jsonl) -eq 0 ]] ||
    fail "windows${how:+ with $how}: $(windows list/sin.jsonl) and $(windows list/cos.jsonl)"
done

# A walk serves more than two.
exponentials=(--format p20 --from 0x1p+10 --to 0x1p+11 --algorithm phase --bits 10)
for f in cosh exp sinh; do succeeds search "$f" "${exponentials[@]}" --reproducible --wc "alone/$f.wc" --json "alone/$f.jsonl"; done
for how in --no-journal ""; do
  # shellcheck disable=SC2086  # perhaps none
  succeeds search sinh,exp,cosh "${exponentials[@]}" --reproducible --wc list/%.wc --json list/%.jsonl $how
  same_files list sinh exp cosh
  # shellcheck disable=SC2086  # perhaps none
  succeeds search sinh,exp,cosh "${exponentials[@]}" --wc list/%.wc --json list/%.jsonl $how
  [[ $(windows list/sinh.jsonl) -gt 1000 && $(windows list/exp.jsonl) -eq 0 && $(windows list/cosh.jsonl) -eq 0 ]] ||
    fail "exponentials${how:+ with $how}: not one walk"
done

# Their claims end where values of the format do, those of exp before those of sinh and cosh.
bounded=(--format p14 --from 0x1p+9 --to 0x1p+10 --values format --algorithm phase --bits 10)
for f in cosh exp sinh; do succeeds search "$f" "${bounded[@]}" --reproducible --wc "alone/$f.wc" --json "alone/$f.jsonl"; done
for list in sinh,exp,cosh exp,sinh,cosh; do
  succeeds search "$list" "${bounded[@]}" --reproducible --no-journal --wc list/%.wc --json list/%.jsonl
  same_files list sinh exp cosh
done

# A dry run describes each, and makes nothing.
succeeds search sin,cos "${range[@]}" --wc files/%.wc --dry-run
[[ $(grep -c '^  to search  *8388608 with about 16 cases$' out) -eq 2 ]] || fail "--dry-run: not both"
no_files

# After an interruption the same command continues both; nothing is done twice.
long=(--format p35 --from 0x1p+10 --to 0x1p+11 --algorithm phase --bits 22 --quiet --reproducible)
for f in sin cos; do succeeds search "$f" "${long[@]}" --wc "alone/$f.wc" --json "alone/$f.jsonl"; done
size=$((1 << 34))
for ((attempt = 0; attempt < 5; ++attempt)); do
  rm -f files/*
  begins "$TMD" search sin,cos "${long[@]}" --wc files/%.wc --json files/%.jsonl
  awaits files/sin.wc.journal '^{"type":"claimed",' 3
  kill -s INT "$pid" 2>/dev/null || true
  status=0
  wait "$pid" || status=$?
  if [[ $status -eq 130 && ! -e files/sin.wc ]]; then break; fi
done
[[ $status -eq 130 ]] || fail "interrupted: status $status, not 130"
grep -q "^tmd: interrupted: .*\`tmd resume files/sin.wc.journal\` resumes it$" err || fail "interrupted: not what is left"
[[ $(cd files && echo *) == "cos.wc.journal sin.wc.journal" ]] || fail "interrupted: not the files: $(ls files)"
for f in sin cos; do
  succeeds status "files/$f.wc.journal"
  grep -qE "^  arguments  0 of $size covered, [1-9][0-9]* more in unfinished binades" out || fail "$f: nothing is begun"
done
succeeds search sin,cos "${long[@]}" --wc files/%.wc --json files/%.jsonl
[[ $(grep -c "^tmd: note: the search goes on from [1-9][0-9]* of $size arguments" err) -eq 2 ]] || fail "it does not go on with both"
same_files files sin cos
for f in sin cos; do
  succeeds status "files/$f.wc.journal"
  grep -q "^  device .*: $size arguments," out || fail "$f: not each argument once"
done

# The companion's binade is known already, from a search of its own.
rm -f files/*
two=(--format p20 --from 0x1p+10 --to 0x1p+12 --algorithm phase --bits 10 --quiet --reproducible)
for f in sin cos; do succeeds search "$f" "${two[@]}" --wc "alone/$f.wc" --json "alone/$f.jsonl"; done
head -n $(($(grep -n '^{"type":"claimed",' alone/cos.wc.journal | tail -n 1 | cut -d : -f 1) - 1)) alone/cos.wc.journal >files/cos.wc.journal
succeeds status files/cos.wc.journal
grep -q "^  arguments  524288 of 1048576 covered" out || fail "not one of two binades"
succeeds search sin,cos "${two[@]}" --wc files/%.wc --json files/%.jsonl
same_files files sin cos

# In job files, one process searches sin and cos, also with tan in between, but not if names or options differ in more,
# or % is in the folder's name.
cat >jobs.toml <<'JOBS'
[defaults]
format = "binary32"
from = "0x1p+12"
to = "0x1p+13"
bits = 20
[[search]]
function = ["sin", "tan", "cos"]
JOBS
succeeds run jobs.toml --into jobs
[[ $(sed -n 's/^\([a-z]*\): .*/\1/p' out | paste -sd ' ') == "sin cos tan" ]] || fail "run: not sin and cos, then tan"
grep -q '^3 of 3 searches are done' out || fail "run: not all is done"
[[ $(windows jobs/sin.jsonl) -gt 1000 && $(windows jobs/tan.jsonl) -gt 1000 && $(windows jobs/cos.jsonl) -eq 0 ]] ||
  fail "run: not one walk for sin and cos: $(windows jobs/sin.jsonl) and $(windows jobs/cos.jsonl)"
[[ $(cd jobs && echo *.journal) == "cos.journal sin.journal tan.journal" ]] || fail "run: not the journals: $(ls jobs)"
succeeds search sin,cos "${range[@]}" --wc list/%.wc
for f in sin cos; do
  cmp -s <(grep -v '^#' "list/$f.wc") <(grep -v '^#' "jobs/$f.wc") || fail "run: not the cases of $f"
done
succeeds run jobs.toml --into jobs
[[ $(grep -c '(done before)$' out) -eq 3 ]] || fail "run: not done before"
rm jobs/cos.jsonl jobs/cos.journal # with a journal its files would be made from that
succeeds run jobs.toml --into jobs
[[ $(windows jobs/cos.jsonl) -gt 1000 && $(grep -c '(done before)$' out) -eq 2 ]] || fail "run: cos alone is not done"
succeeds run jobs.toml --into once --only cos
[[ $(windows once/cos.jsonl) -gt 1000 && ! -e once/sin.wc ]] || fail "run --only cos: not cos alone"
succeeds run jobs.toml --into 100%
[[ $(windows 100%/cos.jsonl) -eq 0 && -e 100%/sin.wc ]] || fail "run: a folder with %"
cat >others.toml <<'JOBS'
[defaults]
format = "binary32"
from = "0x1p+12"
bits = 20
[[search]]
name = "first"
function = "sin"
to = "0x1p+13"
[[search]]
name = "second"
function = "cos"
to = "0x1p+13"
[[search]]
name = "x-cos"
function = "cos"
to = "0x1.8p+13"
JOBS
succeeds run others.toml --into others
[[ $(windows others/second.jsonl) -eq 0 && $(windows others/x-cos.jsonl) -gt 1000 ]] || fail "run: not the mates together, whatever their names"

# A function that comes twice is served once.
cat >twice.toml <<'JOBS'
[defaults]
format = "p14"
from = "0x1p+9"
to = "0x1.2p+9"
algorithm = "phase"
bits = 10
[[search]]
name = "first"
function = "sinh"
[[search]]
name = "second"
function = "exp"
[[search]]
name = "third"
function = "exp"
JOBS
succeeds run twice.toml --into twice
[[ $(windows twice/second.jsonl) -eq 0 && $(windows twice/third.jsonl) -gt 10 ]] || fail "run: exp is not served once"
[[ $(echo twice/*.unsound) == 'twice/*.unsound' ]] || fail "run: a shared walk was unsound"

# If two have failed together, each gets a process of its own, and its mistake is named.
sed '/^bits/a device = "no such device"' jobs.toml >failing.toml
tmd run failing.toml --into failing
[[ $status -eq 3 ]] || fail "run without a device: status $status, not 3"
grep -q '^tmd: of 3 searches 3 failed: sin, tan, cos; the same command tries again$' err || fail "run: not what has failed"
[[ $(grep -c '^tmd: warning: the search [a-z]* has failed: ' err) -eq 3 ]] || fail "run: not a warning each"
grep -q '^tmd: note: several searches by one walk have failed, and are done one by one: no device ' err || fail "run: not why"

# After an interruption both are resumed.
sed -i 's/^format.*/format = "p35"/; s/^bits.*/bits = 22/; s/^from.*/from = "0x1p+12"/' jobs.toml
begins "$TMD" run jobs.toml --into interrupted
awaits interrupted/cos.journal '^{"type":"claimed",' 3
kill -s INT "$pid"
status=0
wait "$pid" || status=$?
[[ $status -eq 130 ]] || fail "run, interrupted: status $status, not 130"
grep -q '^tmd: interrupted: [01] of 3 searches are done; the same command resumes them$' err || fail "run, interrupted: not the sentence"
parts_of() { grep -c '^{"type":"claimed",' "interrupted/$1.journal"; }
behind=$(($(parts_of sin) - $(parts_of cos))) # 1 where the signal was not heard and ended it between two journals' lines
succeeds run jobs.toml --into interrupted
grep -q "^tmd: note: the search goes on from [1-9][0-9]* of " err || fail "run: it does not go on"
if [[ $behind -eq 0 ]]; then
  [[ $(windows interrupted/cos.jsonl) -eq 0 ]] || fail "run: it does not go on with both"
else
  [[ $behind -eq 1 && $(windows interrupted/cos.jsonl) -lt $(($(windows interrupted/sin.jsonl) / 2)) ]] ||
    fail "run: it does not go on with both but for a part: $behind, $(windows interrupted/cos.jsonl)"
fi
