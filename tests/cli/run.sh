#!/usr/bin/env bash
# tmd run: job files with mistakes, searches that are done and that are skipped, failures, interrupts.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

# refuses_file MISTAKES: jobs.toml must be refused with these mistakes, a line each; nothing is made.
refuses_file() {
  tmd run jobs.toml --into results
  [[ $status -eq 2 ]] || fail "a bad job file: status $status, not 2"
  diff <(sed -n 's/^tmd: jobs.toml, //p' err) - <<<"$1" >differences || fail "not these mistakes: $(cat differences)"
  [[ ! -s out && ! -e results ]] || fail "a bad job file: something was done"
}

refuses 2 "no job file given" run
refuses 2 "cannot read the job file 'nothing.toml'" run nothing.toml --into results
refuses 2 "cannot read the job file '.'" run . --into results
cp "$TMD_TESTS/../configs/jobs/demo.toml" demo.toml
refuses 2 "--into is missing" run demo.toml
refuses 2 "unexpected argument 'two.toml'" run demo.toml two.toml --into results
refuses 2 "--only: the job file has no search 'softpluss'; did you mean 'softplus'?" \
  run demo.toml --into results --only softpluss
touch file
refuses 2 "--into: 'file' is no folder" run demo.toml --into file

cat >jobs.toml <<'END'
colour = 1
[defaults]
bits = 0
form = "binary16"
wc = "x"

[[search]]
name = "a"
function = "expp"
from = 1
to = 2

[[search]]
name = "a"
function = "exp"
from = 1
to = 2.5

[[search]]
function = "exp"
foreign-kernels = true
bits = 10

[[search]]
name = "b/c"
function = "log(1+"
from = 1
to = 2
set = ["wide.items=0"]

[[search]]
name = "d"
bits = "many\nlines"
from = 1

[[search]]
name = "e"
function = "exp"
from = 1
to = 2
bits = 10
set = ["wide.items=1", "wide.items=0"]
rounding = "up"
values = "bounded"

[[search]]
name = "f"
function = "exp"
from = 1
to = 2

[[search]]
name = "g"
function = "gama"
from = "one"
to = "two"
no-symmetry = "no"

[[search]]
name = "h"
function = "log"
format = "binary23"
from = "0x1.000001p+0"
to = -1
rounding = "most"

[[search]]
name = "i"
function = "pow"
from = "0x1.000000000000001p+0"

[[search]]
name = "j"
function = "log"
from = -1
to = "0x1p+2000"
device = ["all", "gpu"]
END
refuses_file "line 1: unknown key 'colour': a job file has one table [defaults] and tables [[search]]
line 3: --bits must be an integer from 1 to 120, not '0'
line 4: unknown key 'form'; did you mean 'from'?
line 5: 'wc' cannot be set in a job file: \`tmd run\` sets it
line 9: unknown function 'expp'; \`tmd functions\` lists them; did you mean 'exp'?
line 14: another search has the name 'a'
line 17: to must be a string or an integer; other numbers are written as strings
line 19: the search has no name
line 21: 'foreign-kernels' cannot be set in a job file: \`tmd run\` sets it
line 25: a name is a string of letters, digits and . _ + -, since files are named by it
line 26: 'log(1+', column 7: the expression ends where a number, x or a function should follow
line 29: tunable wide.items must be an integer from 1 to 4096, not '0'
line 31: the search has no function
line 33: --bits must be an integer from 1 to 120, not 'many?lines'
line 42: tunable wide.items must be an integer from 1 to 4096, not '0'
line 43: unknown rounding 'up'; known are all, directed and nearest
line 44: unknown values 'bounded'; known are format and unbounded
line 54: unknown function 'gama'; \`tmd functions\` lists them
line 55: --from: 'one' is not a number
line 56: --to: 'two' is not a number
line 57: no-symmetry must be true or false
line 62: unknown format 'binary23'; known are binary16, bfloat16, binary32, binary64, binary80 and p2 … p64 (that many bits, exponents of binary64); did you mean 'binary32'?
line 65: unknown rounding 'most'; known are all, directed and nearest
line 69: pow has two variables, which only \`tmd search\`, \`tmd check\`, \`tmd show\` and \`tmd libm\` take: fix one of them, as in pown:N (x^N), rootn:N (x^(1/N)) or exp(2.5*log(x))
line 70: --from: 0x1.000000000000001p+0 is not a number of binary64 with 53 bits; the nearest is 0x1p+0
line 75: -0x1p+0 is outside the domain of log: x > 0
line 76: --to: 0x1p+2000 is beyond the largest number of binary64
line 77: --device all names every device: give no other beside it"
printf '[[search]]\nfunction = [\n"exp",\n"pown:-1..2", "rootn:3..4"]\nbits = 0' >jobs.toml
refuses_file "line 4: pown:N: N must be an integer from -8000 to 8000, not 0 or 1; got '0'
line 4: pown:N: N must be an integer from -8000 to 8000, not 0 or 1; got '1'
line 5: --bits must be an integer from 1 to 120, not '0'"
echo 'x = [' >jobs.toml
tmd run jobs.toml --into results
[[ $status -eq 2 ]] && grep -q '^tmd: jobs.toml, line 1: ' err || fail "no TOML: not its line"
: >jobs.toml
refuses_file "line 1: there is no search: no table [[search]]"

# Arrays of functions and of roundings.
cat >jobs.toml <<'END'
[defaults]
bits = 10
[[search]]
function = ["exp", "sinn",
  "log(1+exp(x))"]
from = 1
to = 2
rounding = ["all", "nearest"]
[[search]]
function = ["exp"]
rounding = "nearest"
[[search]]
function = "log"
rounding = ["all",
  "most"]
[[search]]
name = "exp-all"
function = "exp"
END
refuses_file "line 4: unknown function 'sinn'; \`tmd functions\` lists them; did you mean 'sin'?
line 5: a name is a string of letters, digits and . _ + -, since files are named by it; an expression has a search of its own
line 15: unknown rounding 'most'; known are all, directed and nearest
line 17: another search has the name 'exp-all'"

# The shipped files read, and have every function of the catalogue.
succeeds functions
sed '1d; /^$/,$d; s/ .*//' out >every
[[ $(wc -l <every) -gt 40 ]] || fail "not the functions"
grep -vxE 'recip|[jy][01]' every >core-math
for file in core-math-binary64 binary32 binary16 bfloat16; do
  jobs=$TMD_TESTS/../configs/jobs/$file.toml
  refuses 2 "--only: the job file has no search 'none'" run "$jobs" --into results --only none
  functions=every
  [[ $file != core-math-binary64 ]] || functions=core-math
  while IFS= read -r name; do
    grep -qF "\"$name\"" "$jobs" || fail "$file.toml has no $name"
  done <"$functions"
done
refuses 2 "did you mean 'rootn-3'?" run "$TMD_TESTS/../configs/jobs/binary80.toml" --into results --only rootn3
refuses 2 "did you mean 'to-2p60-sin'?" run "$TMD_TESTS/../configs/jobs/trigonometric.toml" --into results --only to-2p60sin
refuses 2 "did you mean 'rootn3-directed'?" run "$jobs" --into results --only rootn3directed

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# The demo makes a folder, every search has its files, and the index has all of them.
succeeds run demo.toml --into new/results
grep -q '^3 of 3 searches are done: new/results/index.md$' out || fail "not how many are done"
[[ $(cd new/results && echo *) == "exp.journal exp.jsonl exp.wc index.json index.md log-binary16.journal log-binary16.jsonl log-binary16.wc softplus.journal softplus.jsonl softplus.wc" ]] ||
  fail "not the files: $(ls new/results)"
# shellcheck disable=SC2016  # Markdown
grep -qF '| exp | `exp` | [0x1p+0, 0x1.00001p+0) | binary64, arguments of 53 bits | all | unbounded | 32 | 3 | 2.0 | `0x1.00000027f5496p+0` 34.6037 (midpoint)<br>`0x1.000009eb3ef2fp+0` 34.1186 (representable) | 0 | 0 |' new/results/index.md ||
  fail "not the line of exp in the index"
grep -q '"type": "index"' new/results/index.json || fail "index.json is no index"
[[ $(grep -c '"done": true' new/results/index.json) -eq 3 ]] || fail "index.json: not three are done"
# The files of a search are those of `tmd search`, and say how they were made.
succeeds search 'log(1+exp(x))' --from 1 --to 0x1.00001p+0 --rounding nearest --bits 30 --wc list.wc
cmp -s <(grep -v '^#' list.wc) <(grep -v '^#' new/results/softplus.wc) || fail "softplus: not the cases"
grep -qF "tmd search 'log(1+exp(x))' --from 1 --to 0x1.00001p+0 --rounding nearest --bits 30 --wc new/results/softplus.wc --json new/results/softplus.jsonl --journal new/results/softplus.journal --quiet" new/results/softplus.wc ||
  fail "softplus: not its command"

# done_now NAMES: a further run of demo.toml must do these searches and no others.
done_now() {
  local did
  succeeds run demo.toml --into new/results
  did=$(sed -n '/(done before)$/!s/^\([a-z0-9-]*\): .*/\1/p' out)
  [[ $did == "$1" ]] || fail "$2: did '$did', not '$1'"
}
done_now "" "all is done"
sed -i 's/^bits = 30/bits = 31/' demo.toml
done_now softplus "another K"
sed -i '$d' new/results/exp.jsonl
done_now exp "a result without its end"
head -n 1 new/results/exp.jsonl | grep -q '"devices":\[{"device":{"name":' || fail "a result from a journal names no device"
rm new/results/log-binary16.wc
done_now log-binary16 "a result without its list"
grep -q '^log-binary16: .* (from its journal)$' out || fail "a result without its list is searched again"
sed -i '1s/"version":"/"version":"0./' new/results/exp.jsonl
done_now exp "a result of another version"
sed -i '1s/"kernels":"[^"]*"/"kernels":"0123456789abcdef"/' new/results/exp.jsonl
done_now exp "a result of other kernels"
echo "no records" >new/results/exp.jsonl
succeeds run demo.toml --into new/results --only softplus
[[ $(cat new/results/exp.jsonl) == "no records" ]] || fail "--only softplus does exp, too"
grep -q '^2 of 3 searches are done' out || fail "--only: not how many are done"
grep -q '^| exp .*| not done |' new/results/index.md || fail "--only: the index does not say what is not done"

# A killed search is resumed; one whose entry has changed begins anew.
rm -f new/results/exp.jsonl new/results/log-binary16.jsonl
sed -i '$d' new/results/log-binary16.journal
succeeds run demo.toml --into new/results
grep -q "^tmd: note: the search goes on from " err || fail "a journal is not gone on with"
rm new/results/exp.jsonl
sed -i '$d' new/results/exp.journal
sed -i 's/^bits = 32/bits = 33/' demo.toml
succeeds run demo.toml --into new/results
grep -q "^tmd: note: the journal 'new/results/exp.journal' was of exp on .*, K = 32: it is removed, and the search starts again$" err ||
  fail "a journal of another job: no note"
grep -q '^exp: ' out || fail "a journal of another job: the search is not done"

# Whole functions: left-out arguments belong to the result.
cat >whole.toml <<'END'
[defaults]
format = "p24"
bits = 20
from = "0x1p+40"
[[search]]
function = ["cospi", "atan"]
END
for done in '' ' (done before)'; do
  tmd run whole.toml --into whole
  [[ $status -eq 1 ]] || fail "a partial search: status $status, not 1"
  grep -qE "^cospi: .*; PARTIAL: [0-9]+ arguments left out${done/(done before)/\\(done before\\)}$" out ||
    fail "a partial search: not told$done"
  grep -q '^2 of 2 searches are done' out || fail "a partial search is not done"
done
grep -qE '^\| cospi \| .* \| format \| 20 \| .* \| PARTIAL: [0-9]+ \|' whole/index.md || fail "the index does not say what is left out"
grep -qE '^\| atan \| .* \| [0-9]+: [0-9]+ all cases, [0-9]+ none \| ' whole/index.md || fail "the index has no ranges"

# A failed search stops no other.
sed '/^name = "exp"/a device = "no such device"' demo.toml >failing.toml
tmd run failing.toml --into failing
[[ $status -eq 3 ]] || fail "a search without a device: status $status, not 3"
grep -q '^tmd: of 3 searches 1 failed: exp; the same command tries again$' err || fail "not what has failed"
grep -q '^| exp .*| failed: ' failing/index.md || fail "the index does not say what has failed"
[[ -s failing/softplus.wc && -s failing/log-binary16.wc ]] || fail "what comes after a failure is not done"

# After an interruption the earlier searches are kept, and nothing is left of the running one.
cat >long.toml <<'END'
[[search]]
name = "short"
function = "exp"
from = 1
to = "0x1.00001p+0"
[[search]]
name = "long"
function = "exp"
from = 64
to = 512
bits = 40
END
begins "$TMD" run long.toml --into long
awaits out '^short: '
sleep 1
kill -s INT "$pid"
status=0
wait "$pid" || status=$?
[[ $status -eq 130 ]] || fail "interrupted: status $status, not 130"
grep -q '^tmd: interrupted: 1 of 2 searches are done; the same command resumes them$' err || fail "interrupted: not the sentence"
[[ $(cd long && echo *) == "index.json index.md long.journal short.journal short.jsonl short.wc" ]] || fail "interrupted: not the files: $(ls long)"
