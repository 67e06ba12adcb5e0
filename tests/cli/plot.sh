#!/usr/bin/env bash
# tmd plot: what it refuses, before and after it has looked for Python, and what it draws.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

cat >four.jsonl <<'END'
{"type":"search","schema":1,"job":"exp on [0x1p+0, 0x1.00000001p+0), p = 53, e = -1022 to 1023, q = 53, all, K = 20","function":"exp","format":"binary64","precision":53,"argument_precision":53,"from":"0x1p+0","to":"0x1.00000001p+0","rounding":"all","values":"unbounded","bits":20,"version":"0.1.0","command":"tmd search exp","kernels":"0123456789abcdef"}
{"type":"case","x":"0x1.0000000050418p+0","bits":22.0988,"breakpoint":"representable"}
{"type":"case","x":"0x1.0000000002d96p+0","bits":21.3993,"breakpoint":"midpoint"}
{"type":"summary","arguments":1048576,"cases":2,"exact":0,"undecided":0,"cases_in_ranges":0,"none_in_ranges":0,"partial":false,"left_out":0,"gaps":0}
END
printf '%s\n' '# a list' 0x1.0000000050418p+0 >list.wc

refuses 2 "no result given" plot
refuses 2 "--output is missing: the file of the figure" plot four.jsonl
refuses 2 "unexpected argument 'list.wc': one result at a time" plot four.jsonl list.wc -o files/figure.svg
refuses 2 "cannot tell what to draw into 'files/figure.jpeg': its name must end in .svg, .png, .pdf or .html" \
  plot four.jsonl -o files/figure.jpeg
refuses 2 "--output needs the name of a file" plot four.jsonl --output --what=cases
refuses 2 "unknown panel 'bits'" plot four.jsonl -o files/figure.svg --what bits
refuses 2 "cannot write 'missing/figure.svg': No such file or directory" plot four.jsonl -o missing/figure.svg

# A missing Python is reported before anything is read.
TMD_PYTHON=$scratch/none refuses 2 "this needs Python 3 with NumPy, SciPy and matplotlib: install the packages" \
  plot missing.jsonl -o files/figure.svg
no_files

has_python plot || skip "no Python with matplotlib"
refuses 2 "cannot read 'missing.jsonl': No such file or directory" plot missing.jsonl -o files/figure.svg
refuses 2 "'list.wc' has no records of a search, which \`tmd search --json FILE\` writes; a list of arguments does not say" \
  plot list.wc -o files/figure.svg
sed 2d four.jsonl >less.jsonl
refuses 2 "'less.jsonl', line 3: it says 2 cases, but there are 1" plot less.jsonl -o files/figure.svg
refuses 2 "the result does not say what its devices did" plot four.jsonl -o files/figure.svg --what time
no_files

succeeds search exp --from 1 --to 0x1.00001p+0 --bits 20 --json times.jsonl
succeeds plot times.jsonl -o times.svg --what time
grep -q "wide test" times.svg && grep -q "% busy" times.svg || fail "the time of the device is not drawn"

# drawn FILE: checks the contents of the SVG.
drawn() {
  local words
  for words in 'exp on \[0x1p+0, 0x1.00000001p+0)' '2 hard-to-round cases, 0 exact cases; 1048576 arguments, all covered' \
    "${@:2}"; do
    grep -q "$words" "$1" || fail "$1: there is no '$words'"
  done
}
succeeds plot four.jsonl -o files/figure.svg
[[ ! -s out && ! -s err ]] || fail "it says something"
drawn files/figure.svg 'Cases with at least k bits' 'Cases over the range' representable midpoint '0x1.000000008p+0'
succeeds plot four.jsonl --output=files/range.svg --what range
drawn files/range.svg 'Cases over the range'
if grep -q 'Cases with at least' files/range.svg; then fail "--what range draws more"; fi
succeeds plot four.jsonl -o -
drawn out 'Cases with at least k bits' 'Cases over the range'
succeeds plot four.jsonl -o files/figure.png --what cases
[[ $(head -c 4 files/figure.png | tail -c 3) == PNG ]] || fail "no PNG"
succeeds plot four.jsonl -o files/page.html
grep -q '"0x1.0000000050418p+0",0.[0-9]*,22.0988,"representable"' files/page.html || fail "no case in the page"
# The page's own script answers whether an argument is a case.
if command -v chromium >/dev/null; then
  # says ARGUMENT ANSWER
  says() {
    # A browser that does not start here proves nothing.
    timeout 60 chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=2000 --user-data-dir="$scratch/chromium" \
      --dump-dom "file://$PWD/files/page.html#x=$1" >dom 2>/dev/null || return 0
    grep -qF "<span id=\"answer\">$2" dom || fail "the page does not say of $1: $2"
    [[ $(grep -o '<tr><td>' dom | wc -l) -eq 2 ]] || fail "the page's table has not both cases"
  }
  says 0x1.0000000050418p+0 "yes: a hard case of 22.0988 bits, next to a representable number"
  says 0x1.0000000050419p+0 "no: its value is farther than 2^-20 spacings from every breakpoint"
  says 1.5 "it was not searched"
  says one "that is no number"
fi
succeeds plot four.jsonl -o files/figure.pdf
[[ $(head -c 5 files/figure.pdf) == %PDF- ]] || fail "no PDF"
if command -v gzip >/dev/null; then
  gzip -k four.jsonl
  succeeds plot four.jsonl.gz -o files/figure.svg.gz
  gzip -dc files/figure.svg.gz >unpacked.svg
  drawn unpacked.svg 'Cases over the range'
fi
status=0
"$TMD" plot four.jsonl -o - >/dev/full 2>err || status=$?
[[ $status -eq 2 ]] && grep -q "^tmd: cannot write '-': No space left on device" err || fail "a full device: status $status"
head -n 3 four.jsonl >cut.jsonl
echo mine >files/kept.svg
refuses 2 "'cut.jsonl': there is no summary record: the file has been cut off" plot cut.jsonl -o files/kept.svg
[[ $(cat files/kept.svg) == mine ]] || fail "a refused command changes a file"

# The result of a search: a whole function, with its ranges.
tmd devices
grep -q "usable  *yes" out || skip "no usable device"
succeeds search expm1 --format bfloat16 --bits 6 --json files/whole.jsonl.xz --quiet
succeeds plot files/whole.jsonl.xz -o files/whole.svg
grep -q 'values as the format has them' files/whole.svg || fail "no figure of a whole function"
grep -q 'all are cases' files/whole.svg || fail "no ranges of cases"
