#!/usr/bin/env bash
# The output of tmd; a result that could not be printed is no success.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

succeeds --version
grep -qE '^tmd [0-9]+\.[0-9]+\.[0-9]+ \(.*\)$' out || fail "not a version"
for help in --help -h help; do
  succeeds "$help"
  grep -q "usage: tmd COMMAND" out && grep -q "exit status: 0 done, 1 done but something was left out, 2 usage" out || fail "tmd $help is no help"
done
for command in search show libm check plot functions devices compare tune; do
  succeeds "$command" --help
  cp out one
  succeeds help "$command"
  cmp -s out one || fail "tmd help $command is not tmd $command --help"
done
succeeds search --help
for word in --from --to --format --argument-precision --rounding --bits --algorithm --deployment --compaction \
  --polynomials --domain-bits --device --set --host-threads --wc --json --ledger --show --quiet "tmd functions" phase1.logms \
  wide.denominator-percent; do
  grep -qF -- "$word" out || fail "tmd search --help does not name $word"
done
# The manual names every option that the help does, and the other way round.
manual=$TMD_TESTS/../app/tmd.1
if [[ -e $manual ]]; then
  for command in search tune; do
    tmd $command --help
    grep -oE '^ +(-h, )?--[a-z-]+' out | grep -oE '\--[a-z-]+' | sort -u >in_help
    section='The search options'
    if [[ $command == tune ]]; then section='Tune options'; fi
    sed 's/\\-/-/g' "$manual" | sed -n "/^\.Ss $section/,/^\.S[sh] /p" |
      grep -E '^\.It Fl Fl ' | grep -oE 'Fl Fl [a-z-]+' | sed 's/^Fl Fl /--/' | sort -u >in_manual
    comm -3 in_help in_manual | grep -v -- --help >differing || true
    [[ ! -s differing ]] || fail "help and manual of tmd $command differ in $(paste -sd' ' differing)"
  done
fi

# A failed write must not look like success.
for command in "--version" "--help" "search --help" "functions"; do
  status=0
  # shellcheck disable=SC2086  # words
  "$TMD" $command >/dev/full 2>err || status=$?
  [[ $status -eq 2 ]] && grep -q "cannot write to standard output: No space left" err ||
    fail "tmd $command on a full device: status $status"
  status=0
  # shellcheck disable=SC2086
  "$TMD" $command >&- 2>err || status=$?
  [[ $status -eq 2 ]] && grep -q "cannot write to standard output" err || fail "tmd $command, closed: status $status"
done

# Files first: a standard output that takes nothing loses none of them.
printf '%s\n' 0x1.0000000050418p+0 >list.wc
many_words=$(printf '0x1.8p%s ' {1..60})
for command in functions "functions exp" "show exp $many_words" "check exp list.wc --bits 20 --values-only" \
  "libm exp list.wc --library libm.so.6" devices; do
  # shellcheck disable=SC2086
  tmd $command --json files/kept.jsonl
  [[ $status -eq 0 ]] || continue # no device
  [[ -s files/kept.jsonl ]] || fail "tmd $command: no file"
  wc -l <files/kept.jsonl >lines
  for output in full closed; do
    rm files/kept.jsonl
    status=0
    # shellcheck disable=SC2086
    if [[ $output == full ]]; then
      "$TMD" $command --json files/kept.jsonl >/dev/full 2>err || status=$?
    else
      "$TMD" $command --json files/kept.jsonl >&- 2>err || status=$?
    fi
    [[ $status -eq 2 ]] || fail "tmd $command, output $output: status $status, not 2"
    grep -q '^tmd: cannot write to standard output' err || fail "tmd $command, output $output: not the sentence"
    [[ -e files/kept.jsonl && $(wc -l <files/kept.jsonl) == "$(cat lines)" ]] ||
      fail "tmd $command, output $output: the file is lost"
  done
  rm files/kept.jsonl
done

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
for output in full closed; do
  status=0
  if [[ $output == full ]]; then
    "$TMD" "${small[@]}" --quiet --wc files/list.wc --json files/log.jsonl >/dev/full 2>err || status=$?
  else
    "$TMD" "${small[@]}" --quiet --wc files/list.wc --json files/log.jsonl >&- 2>err || status=$?
  fi
  [[ $status -eq 2 ]] || fail "a search, output $output: status $status, not 2"
  grep -q '^tmd: cannot write to standard output' err || fail "a search, output $output: not the sentence"
  [[ $(grep -vc '^#' files/list.wc) -eq 4 && $(grep -c '"type":"case"' files/log.jsonl) -eq 4 ]] ||
    fail "a search, output $output: its files are lost"
  rm files/*
done
# The failure is known before the run, which would take hours.
status=0
timeout 100 "$TMD" search exp --from 1 --to 2 >/dev/full 2>err || status=$?
[[ $status -eq 2 ]] || fail "a search on a full device: status $status, not 2"
status=0
"$TMD" "${small[@]}" --wc files/list.wc >&- 2>err || status=$?
[[ $status -eq 2 ]] || fail "a search with closed output: status $status, not 2"
no_files

succeeds "${small[@]}"
[[ ! -s err ]] || fail "something on stderr, which is no terminal"
grep -qE '^exp on \[1, 0x1.00000001p\+0\), binary64' out || fail "no line that says what is searched"
grep -qE '^ *22\.0988  0x1\.0000000050418p\+0  representable$' out || fail "no case"
grep -qE '^4 hard-to-round cases, 0 exact cases; 1048576 of 1048576 arguments covered' out || fail "no coverage"
grep -qE '^  algorithm   [a-z]+ on 1 interval$' out || fail "it is not said how"
grep -qE '^ +\[0x1p\+0, .*\]: expected per argument, in regular tests: wide [0-9.e-]+, regular [0-9.e-]+, lefevre ' out ||
  fail "it is not said why"
succeeds "${small[@]}" --algorithm regular
grep -qE '^ *phase 3 ' out && grep -qE '^  algorithm   regular on 1 interval$' out || fail "no phases"
if grep -q '^  wide test' out; then fail "a wide test that was not asked for"; fi
succeeds "${small[@]}" --algorithm wide
grep -qE '^  wide test +[0-9]+ groups +[0-9]+ kept ' out || fail "no groups"
grep -qE '^ +check +[0-9]+ candidates +[0-9]+ kept ' out || fail "no check of the candidates"
if grep -q '^  phase 1' out; then fail "phases in a search by the wide test"; fi

# --quiet prints no case, but all else. A table beside a file is short: its list has all.
succeeds "${small[@]}" --quiet
if grep -q '^ *[0-9.]* *0x' out; then fail "--quiet prints cases"; fi
grep -q '^4 hard-to-round cases' out || fail "--quiet hides the summary"
many=("${small[@]:0:6}" --bits 14)
succeeds "${many[@]}" --wc files/many.wc
[[ $(grep -cE '^ *[0-9.]+  0x' out) -eq 20 ]] || fail "a table of other than 20 cases beside a file"
found=$(grep -vc '^#' files/many.wc)
grep -q "^ *\.\.\.  $((found - 20)) more in files/many.wc$" out || fail "it is not said where the others are"
for shown in 3 0 all; do
  succeeds "${many[@]}" --show $shown --wc files/many.wc
  [[ $(grep -cE '^ *[0-9.]+  0x' out) -eq ${shown/all/$found} ]] || fail "--show $shown is not obeyed"
done
refuses 2 "--show must be" "${small[@]}" --show some
rm files/*

# Arguments that stay undecided are not done.
tmd search 'exp(log(x))' --from 1 --to 1+2^-45 --bits 5
[[ $status -eq 1 ]] || fail "undecided arguments: status $status, not 1"
grep -q UNDECIDED out || fail "undecided arguments are not counted"

# --ledger: every term, as a power of two.
succeeds "${small[@]}" --algorithm regular --ledger
grep -qE '^piece .* words [0-9]+, N = 2\^[0-9]+, kappa = 2\^[0-9]+$' out || fail "no N and kappa in the ledger"
grep -qE '^piece \[0x1p\+0, 0x1\.00000000fffffp\+0\], \|f\| in \[2\^1, 2\^2\): ' out || fail "no piece in the ledger"
grep -qE '^ +epsilon +2\^-20\.00$' out || fail "epsilon is not 2^-20"
for term in taylor coefficients high truncation1 truncation2 fixedpoint1 fixedpoint2 fixedpoint3 '= phase1' '= phase2' \
  '= phase3'; do
  grep -qE "^ +$term +(2\^-[0-9]+\.[0-9]{2}|0)$" out || fail "the ledger lacks $term"
done
if grep -qE '^  (subinterval|group|= wide)' out; then fail "the wide test's terms in the ledger of the phases"; fi
succeeds "${small[@]}" --algorithm wide --ledger
grep -qE '^piece .* words [0-9]+, groups of 2\^[0-9]+$' out || fail "no groups in the ledger of the wide test"
for term in epsilon taylor coefficients high subinterval group '= wide' '= wide_check'; do
  grep -qE "^ +$term +(2\^-[0-9]+\.[0-9]{2}|0)$" out || fail "the ledger of the wide test lacks $term"
done
grep -qE '^  in float: lines 2\^-[0-9]+ of a group.s rise, roots [0-9.e-]+ arguments$' out || fail "no bounds of float"
if grep -qE '^  (truncation|fixedpoint|= phase)' out; then fail "the phases' terms in the ledger of the wide test"; fi
# A range in which the values change their binade has a piece for each.
succeeds search exp --from 0.5 --to 1.5 --format binary16 --bits 6 --ledger
[[ $(grep -c '^piece ' out) -ge 2 ]] || fail "one piece for two output binades"

# Bounds may be decimal or hex, negative, subnormal, and the end beyond the largest number.
succeeds search exp --from -0.5 --to -0x1.fep-2 --format binary16 --bits 5
succeeds search cbrt --from 0x1p-24 --to 0x1p-14 --format binary16 --bits 8
grep -q " 1023 of 1023 arguments" out || fail "the subnormal numbers of binary16 are 1023"
succeeds search cbrt --from 32768 --to 65536 --format binary16 --bits 8
grep -q " 1024 of 1024 arguments" out || fail "the last binade of binary16 has 1024 numbers"
# If an option is given twice, the last one counts.
succeeds "${small[@]}" --bits 21
[[ $(grep -cE '^ +2[0-9]\.[0-9]{4} ' out) -eq 2 ]] || fail "the last --bits does not count"
