#!/usr/bin/env bash
# tmd libm --report: a page with pictures in one file.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

: "${TMD_TWO_FUNCTIONS:?the library with two functions of C}" "${TMD_SCAN_LIBRARY:?the library with faults}"
cbrt=(libm cbrt --library "$TMD_TWO_FUNCTIONS" --format binary32)
refuses 2 "cannot tell what page 'page.pdf' is to be: its name must end in .html or .md" "${cbrt[@]}" --report page.pdf
TMD_PYTHON=$scratch/none refuses 2 "this needs Python 3" "${cbrt[@]}" --report page.html
[[ ! -e page.html ]] || fail "a page was left behind"
has_python library_page || skip "no Python with matplotlib"

# Pages of samples, of all arguments, of a list, and of all functions.
succeeds libm sinh --library "$TMD_SCAN_LIBRARY" --symbol tmd_bound_sinh --seed 1 --calls 20000 --report page.md --promise 1.0 \
  --against "$TMD_SCAN_LIBRARY:tmd_right_sinh"
grep -q '^# tmd_bound_sinh of ' page.md || fail "no heading"
grep -q '^Promise 1.0: kept.$' page.md || fail "no promise"
grep -qF '| toward-zero | |x| from' page.md && fail "a bar in a cell of a table"
grep -qE '^\| toward-zero \| \\\|x\\\| (from|below) ' page.md || fail "no place"
grep -qE '^\| toward-zero \| .* \| beside a representable number \| one in ' page.md || fail "sides that are not put together"
grep -qE '^Against .tmd_right_sinh. of ' page.md || fail "no comparison"
[[ $(grep -c '^!\[.*\](data:image/svg+xml;base64,' page.md) -eq 1 ]] || fail "not one picture"
succeeds "${cbrt[@]}" --all --from 1 --to 1.125 --report page.html
grep -q '<p>Called at all arguments, by tmd ' page.html || fail "no words on the arguments"
succeeds libm sqrt --all --library "$TMD_TWO_FUNCTIONS" --format binary32 --from 1 --to 1.125 --report page.html
grep -q 'Proven to be correctly rounded at all arguments' page.html || fail "no proof"
! grep -q '<img' page.html || fail "a picture of nothing"
succeeds libm sin --library libm.so.6 --symbol sincos --flags --seed 1 --calls 20000 --report page.md
grep -q '^# sincos of libm.so.6 in binary64, its first result$' page.md || fail "no result in the title"
grep -qE '^(Flags and errno:|Flags are right at [0-9]+ calls\.)$' page.md || fail "no flags"
echo 2 >list
succeeds "${cbrt[@]}" list --report page.html
grep -q 'at the arguments of <code>list</code>' page.html || fail "no list"
succeeds libm --all-functions --library "$TMD_TWO_FUNCTIONS" --format binary32 --calls 2000 --report page.html
grep -q '<td><a href="#sqrtf">sqrtf</a></td>' page.html || fail "no row of a function"
[[ $(grep -c '<img alt=' page.html) -eq 1 && $(grep -c '<h2 ' page.html) -eq 2 ]] || fail "not two functions and a picture"
! grep -qE '(src|href)="?https?:' page.html || fail "something is read from a network"
