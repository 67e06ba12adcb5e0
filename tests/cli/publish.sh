#!/usr/bin/env bash
# tmd publish: pages and lists of whole functions and of blocks of them, the same whatever comes first.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

refuses 2 "no result given" publish --into pages
refuses 2 "--list-bytes must be an integer from 1000" publish no.jsonl --into pages --list-bytes 10
refuses 2 "--into is missing" publish empty/x.jsonl
TMD_PYTHON=$scratch/none refuses 2 "this needs Python 3 with NumPy, SciPy and matplotlib" publish no.jsonl --into pages
has_python publish || skip "no Python with SciPy"
mkdir empty
refuses 2 "the folder 'empty' has no result" publish empty --into pages
refuses 2 "cannot read 'nothing.jsonl'" publish nothing.jsonl --into pages
echo "no records" >no.jsonl
refuses 2 "'no.jsonl' has no records of a search" publish no.jsonl --into pages
[[ ! -e pages ]] || fail "a folder without a page"

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# searched NAME ARGUMENT...: makes a search whose result is NAME.jsonl.
searched() {
  local name=$1
  shift
  tmd search "$@" --quiet --no-journal --json "$name.jsonl"
  [[ $status -le 1 ]] || fail "tmd search $*: status $status"
}
# published NAMES...: publishes them in this order, each by a command, into pages.
published() {
  rm -rf pages
  for name in "$@"; do succeeds publish "$name.jsonl" --into pages; done
}
# same_as FOLDER: the pages must be the same, except for programs and times.
same_as() {
  for folder in pages "$1"; do
    (cd "$folder" && sed '/^## Searches/,$d; /^## Ranges/,/^$/d' binary16/exp.md && xz -dc binary16/exp.wc.xz | grep -v '^# Range') >"$folder.text"
  done
  cmp -s pages.text "$1.text" || fail "$2: $(diff pages.text "$1.text" || true)"
}

# A whole function is published as the search counts it.
searched log log --format binary16 --bits 6
published log
page=pages/binary16/log.md
cases=$(grep -c '"type":"case"' log.jsonl)
grep -q "^| arguments | 31743 of 31743: complete |$" $page || fail "log: not complete"
grep -q "^| cases | $cases, " $page || fail "log: not its cases"
# shellcheck disable=SC2016  # Markdown
grep -qF '| exact cases | 1: `0x1p+0` |' $page || fail "log: not its exact case"
[[ $(sed -n '/^| binades/,/^$/p' $page | awk -F'|' 'NR > 2 { sum += $4 } END { print sum }') -eq $cases ]] ||
  fail "log: the binades do not add up"
[[ $(xz -dc pages/binary16/log.wc.xz | grep -vc '^#') -eq $cases ]] || fail "log: not all cases are listed"
grep -qF "| [log in binary16](binary16/log.md) | all | 6 | all | $cases | " pages/README.md || fail "log: not in the table"
# The hardest case of each kind is the first of its kind.
for kind in representable midpoint; do
  x=$(sed -n "s/.*\"x\":\"\([^\"]*\)\".*\"$kind\".*/\1/p; T; q" log.jsonl)
  grep -qF "| hardest, $kind | \`$x\`," $page || fail "log: not the hardest $kind"
done

# Published again, and as a folder, it gives the same bytes.
cp -r pages before
mkdir folder
cp log.jsonl folder
succeeds publish log.jsonl folder --into pages
diff -r pages before || fail "the same result makes other pages"

# A list that has to be small has all cases from some K on.
succeeds publish log.jsonl --into small --list-bytes 1000
bits=$(sed -n 's/.* cases from K = \([0-9]*\) on |$/\1/p' small/binary16/log.md)
[[ $bits -gt 6 && $(stat -c %s small/binary16/log.wc.xz) -le 1000 ]] || fail "--list-bytes: K = $bits"
sed -n 's/.*"type":"case","x":"\([^"]*\)","bits":\([0-9.]*\),.*/\2 \1/p' log.jsonl |
  awk -v bits="$bits" '$1 >= bits { print $2 }' | sort >wanted
xz -dc small/binary16/log.wc.xz | grep -v '^#' | sort >listed
cmp -s wanted listed || fail "--list-bytes: not the cases from K = $bits on"
grep -q "^| cases | $cases, " small/binary16/log.md || fail "--list-bytes: not all cases are counted"

# Blocks of a function, in any order, make up the whole; until then the page says what is missing.
exp=(exp --format binary16 --bits 6 --values format)
searched whole "${exp[@]}"
searched low "${exp[@]}" --to 0x1p-5
searched middle "${exp[@]}" --from 0x1p-5 --to 1.375
searched high "${exp[@]}" --from 1.375
published whole
cp -r pages whole
published middle high
grep -q '\*\*partial\*\*' pages/README.md || fail "blocks: not partial"
grep -A 3 '^## Not searched' pages/binary16/exp.md | grep -qF -- '- [-0x1.ffcp+15, 0x1.ffcp-6]' ||
  fail "blocks: not what is missing"
[[ $(sed -n '/^## Searches/,$p' pages/binary16/exp.md | grep -c '^| \[') -eq 2 ]] || fail "blocks: not two searches"
succeeds publish low.jsonl --into pages
same_as whole "three blocks are not the whole"
published high low middle
same_as whole "blocks in another order are not the whole"
succeeds publish whole.jsonl --into pages
diff -r pages whole || fail "the whole does not replace its blocks"

# A block of values without bounds is one of the whole if none of its values reaches a bound of the format.
searched unbounded exp --format binary16 --bits 6 --from 0x1p-5 --to 1.375
searched subnormal exp --format binary16 --bits 6 --from -10 --to -9
searched overflow exp --format binary16 --bits 6 --from 10.5 --to 11
published low unbounded high
same_as whole "a block without bounds is not the same as one with them"
published subnormal
[[ -s pages/binary16/exp-unbounded.md && ! -e pages/binary16/exp.md ]] || fail "subnormal values have no page of their own"
published overflow
[[ -s pages/binary16/exp-unbounded.md && ! -e pages/binary16/exp.md ]] || fail "great values have no page of their own"

# Blocks that a result covers only partly are neither replaced nor counted twice.
searched across "${exp[@]}" --from 1 --to 2
published middle
cp -r pages before-refusal
refuses 2 "'across.jsonl': what is published of [0x1p-5, 0x1.6p+0) has arguments" publish across.jsonl --into pages
diff -r pages before-refusal || fail "a refusal changes pages"
searched seven exp --format binary16 --bits 7
refuses 2 "values as the format has them, K = 7, and what is published under that name of exp" publish seven.jsonl --into pages

# Breakpoints of each kind, symmetry, left-out arguments, an expression, a damaged page.
searched nearest tan --format binary16 --bits 6 --rounding nearest --from 0x1.ffcp+10
searched softplus "log(1+exp(x))" --format binary16 --bits 6 --from -4 --to 4 --values format
published nearest softplus
grep -q "^The hard-to-round cases with K = 6, breakpoints: nearest; x >= 0 only: f(-x) = -f(x)." pages/binary16/tan-nearest.md ||
  fail "tan: not its symmetry"
grep -q '^## Not searched' pages/binary16/tan-nearest.md || fail "tan: not what is left out"
[[ -s pages/binary16/log-1-exp-x.md ]] || fail "an expression has no page"
xz -dc pages/binary16/log-1-exp-x.jsonl.xz | sed '3s/{/x/' | xz >damaged
mv damaged pages/binary16/log-1-exp-x.jsonl.xz
refuses 2 "log-1-exp-x.jsonl.xz', line 3: a record is damaged" publish softplus.jsonl --into pages
