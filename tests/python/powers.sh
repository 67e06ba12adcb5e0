#!/usr/bin/env bash
# Members of families in a job file, and the table of their results.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
has_python publish || skip "no Python with NumPy and SciPy"
modules=$(dirname "$TMD_TESTS")/python
python=python3
"$python" -B "$modules" --check publish || python=/usr/bin/python3
export PYTHONPATH=$modules

cat >jobs.toml <<'END'
[defaults]
format = "p14"
bits = 9

[[search]]
function = ["rootn:3..4", "pown:-3..-2", "pown:3..5"]

[[search]]
name = "exp2"
function = "exp2"
from = 1
to = 2
END
succeeds run jobs.toml --into results
members="pown3 pown4 pown5 pown-2 pown-3 rootn3 rootn4"
for name in $members exp2; do
  [[ -e results/$name.jsonl ]] || fail "no result of $name"
done
[[ $(grep -c . <(ls results/*.jsonl)) -eq 8 ]] || fail "other searches than those of the ranges"

"$python" -B -m tmd.powers results >table 2>err && fail "a table with a function of no family"
grep -q "'results/exp2.jsonl' is of exp2, which is no member of a family" err || fail "not told which: $(cat err)"
rm results/exp2.jsonl
"$python" -B -m tmd.powers results --output table.md || fail "no table"
"$python" -B -m tmd.powers results | diff - table.md || fail "the file has another table"
for name in $members; do # the table has as many cases as are listed, and the hardest of each kind
  function=$(sed -E 's/(pown|rootn)/\1:/' <<<"$name")
  cases=$(grep -vc '^#' "results/$name.wc")
  exact=$(grep -c '"type":"exact"' "results/$name.jsonl")
  hardest=
  for kind in representable midpoint; do
    hardest+=$(grep '"type":"case"' "results/$name.jsonl" | grep "\"breakpoint\":\"$kind\"" |
      sed -E 's/.*"x":"([^"]*)".*"bits":([0-9.]*).*/\2 \1/' | sort -s -k1,1gr |
      awk 'NR == 1 {printf "| `%s` %.4f ", $2, $1}')
  done
  echo "| $function | $cases $hardest| $exact |  | all |"
done >expected
diff expected <(grep '^| [pr]' table.md | sed -E 's/ [0-9.]+ \|$//') || fail "other rows"

cp results/pown3.jsonl again.jsonl
"$python" -B -m tmd.powers results again.jsonl 2>err && fail "a function twice"
grep -q "two results are of pown:3" err || fail "not told that it stands there twice: $(cat err)"
succeeds search pown:6 --format p14 --bits 8 --json other.jsonl --no-journal
"$python" -B -m tmd.powers results other.jsonl 2>err && fail "other K in one table"
grep -q "pown:5 and pown:6 are searched in other formats, or with other K" err || fail "not told which: $(cat err)"
