#!/usr/bin/env bash
# Typing mistakes: near names are suggested, and meaningless values are refused by name.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

range=(--from 1 --to 2)

# The word is one typing mistake away from a name.
refuses 2 "unknown command 'serach'; did you mean 'search'?" serach exp "${range[@]}"
refuses 2 "unknown function 'expp'; \`tmd functions\` lists them; did you mean 'exp'?" search expp "${range[@]}"
refuses 2 "unknown option '--bit'; did you mean '--bits'?" search exp "${range[@]}" --bit=3
refuses 2 "unknown option '--argument-precison'; did you mean '--argument-precision'?" search exp --argument-precison 54
refuses 2 "unknown option '--jsno'; did you mean '--json'?" devices --jsno
refuses 2 "did you mean 'binary64'?" search exp "${range[@]}" --format binray64
refuses 2 "did you mean 'regular'?" search exp "${range[@]}" --algorithm reguler
refuses 2 "did you mean 'phase1.items'?" search exp "${range[@]}" --set phase1.item=2
TMD=$TMD_LAB refuses 2 "unknown measurement 'widde'; did you mean 'wide'?" widde
# Nothing is suggested if no name is near.
for word in quantum '' x; do
  tmd "$word"
  if grep -q "did you mean" err; then fail "tmd '$word': a suggestion"; fi
done
tmd search exp "${range[@]}" --format binary128
if grep -q "did you mean" err; then fail "binary128: another number is suggested"; fi
tmd tune --worke
if grep -q "did you mean" err; then fail "an internal option is suggested"; fi

# Options that take no value.
for option in quiet ledger help; do
  for value in false maybe true ''; do
    refuses 2 "--$option takes no value: write --$option, or leave it out, but not '--$option=$value'" \
      search exp "${range[@]}" "--$option=$value"
  done
done

refuses 2 "one function at a time, not 'exp,sin'" compare exp,sin "${range[@]}"
refuses 2 "unexpected argument 'sin': one function at a time" search exp sin "${range[@]}"
for command in "search exp --from 1 --to 2" tune compare; do
  for selector in '' ' '; do
    # shellcheck disable=SC2086  # words
    refuses 2 "--device names no device: '$selector'" $command --device "$selector"
  done
done
TMD=$TMD_LAB refuses 2 "--device names no device: ''" wide exp --from 1 --to 2 --device ''

# `help` is followed by a word.
succeeds search --help
cp out one
succeeds help search
cmp -s out one || fail "tmd help search is not tmd search --help"
refuses 2 "unknown command 'serach'; did you mean 'search'?" help serach
TMD=$TMD_LAB refuses 2 "unknown measurement 'speed'" help speed

# A line break in a file's name, or in a sentence, which stays one line.
refuses 2 "cannot write 'missing/a?b'" search exp "${range[@]}" $'--wc=missing/a\nb'
refuses 2 "unknown command 'a?b'" $'a\nb'

# The ends of a range.
refuses 2 "--from: -65536 is beyond the largest number of binary16" search exp --format binary16 --from -65536 --to 1
refuses 2 "--from: 65536 is beyond the largest number of binary16" search exp --format binary16 --from 65536 --to 65536
refuses 2 "--to: -65536 is beyond the largest number of binary16" search exp --format binary16 --from 1 --to -65536
refuses 2 "--from: -0x1p+1024 is beyond the largest number of binary64" search exp --from -0x1p+1024 --to 1
refuses 2 "--from: '?1' is not a number" search exp --from $'\n1' --to 2
refuses 2 "--to: ' 2' is not a number" search exp --from 1 --to ' 2'

# No advice about options where the disk is full.
for command in "--version" "search --help"; do
  status=0
  # shellcheck disable=SC2086  # words
  "$TMD" $command >/dev/full 2>err || status=$?
  [[ $status -eq 2 && $(wc -l <err) -eq 1 ]] || fail "tmd $command on a full device: not the one sentence"
done

# The statements of the help are true.
succeeds search --help
grep -q "and at least 3" out || fail "search --help: no least K"
grep -qF -- "may be repeated, or all" out || fail "search --help: no several devices"
grep -qE '^  polynomials\.work-group-size  1 … 1024: ' out || fail "search --help: columns of the tunables collide"
if sed -n '/^tunables/,$p' out | grep -q default; then fail "search --help: defaults that are another device's"; fi
grep -qF "\`tmd devices --tunables\`" out || fail "search --help does not say where the values are"
grep -q -- "--to 65536 --bits 8" out || fail "search --help: the example leaves out the largest number"
for measurement in wide division; do
  TMD=$TMD_LAB succeeds "$measurement" --help
  if grep -q "or all" out; then fail "tmd-lab $measurement --help: several devices"; fi
done

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
succeeds devices --tunables
grep -qE '^   polynomials\.work-group-size  [0-9]+$' out || fail "devices --tunables: no values"
# The suggestions are options of a search.
succeeds "${small[@]}" --quiet --json files/log.jsonl --device 0
width=$(sed -n 's/.*"wide.vector-width":"\([0-9]*\)".*/\1/p' files/log.jsonl)
succeeds devices --tunables
[[ $(sed -n 's/^   wide\.vector-width  *//p' out | head -n 1) == "$width" ]] ||
  fail "devices --tunables: not the width of a search, $width"

succeeds "${small[@]}" --quiet $'--wc=files/a\nb.wc'
[[ -e files/a$'\n'b.wc ]] || fail "a file with a line break in its name was not written"
status=0
"$TMD" "${small[@]}" --quiet --wc /dev/full >out 2>err || status=$?
[[ $status -eq 2 && $(wc -l <err) -eq 1 ]] || fail "--wc /dev/full: not the one sentence"

# K follows the arguments: with 2^k times as many there are as many cases.
k_of() {
  succeeds search cbrt --from 1 --to "$1" "${@:2}"
  sed -n 's/^cbrt on .*K = \([0-9]*\)$/\1/p' out
}
[[ $(k_of 0x1.0001p+0 --format binary32) -eq 15 ]] || fail "K of binary32"
[[ $(k_of 0x1.0000001p+0 --format binary32 --argument-precision 53) -eq 44 ]] || fail "K of 53 bits in binary32"
[[ $(k_of 0x1.0000001p+0 --argument-precision 54) -eq 45 ]] || fail "K of 54 bits in binary64"
[[ $(k_of 1.5 --argument-precision 12) -eq 44 ]] || fail "K of 12 bits in binary64"
[[ $(k_of 1.5 --format p4) -eq 3 ]] || fail "the least K"
