#!/usr/bin/env bash
# tmd verify: a right result passes, planted mistakes are named, and files that are no results are refused.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

# A file that is no result ends in one sentence, in every command.
printf '\xff\xfe\n' >bytes
printf '[1,2,3]\n' >array.json
printf '{"type":"search","schema":1,"ver' >cut.jsonl
ln -s loop loop
for command in verify merge status resume; do
  refuses 2 "'bytes' is not UTF-8 text: line 1 has other bytes" $command bytes
  refuses 2 "cannot read 'loop': Too many levels of symbolic links" $command loop
done
for command in status resume; do
  refuses 2 "'array.json' is neither a list nor records of this program, not a journal" $command array.json
  refuses 2 "'cut.jsonl' is records of a search, not a journal" $command cut.jsonl
done
refuses 2 "'array.json' is not a result of tmd search: " verify array.json
refuses 2 "'cut.jsonl' is not a result of tmd search: line 1: it is not a record" verify cut.jsonl
refuses 2 "'/dev/null' is not a result of tmd search: it is empty" verify /dev/null

# Published pages: the list beside one, whose cases are fewer than its ranges cover, and its records.
published=$TMD_TESTS/../results/binary64
succeeds verify "$published/cbrt.wc.xz" --no-search
grep -qx 'lines           ok        1496 entries, 0 ranges' out || fail "not all of a published list"
succeeds verify "$published/acospi.wc.xz" --no-search
grep -qE '^acospi on .*, values as the format has them, K = 45$' out || fail "not the K of a published list"
grep -qE '^ranges  +ok ' out || fail "ranges of a published list"
succeeds verify "$published/pown3.jsonl.xz" --no-search
grep -qE '^counts  +not done  the cases are in the list beside it$' out || fail "not a page's records"
xz -dc "$published/cbrt.wc.xz" | sed '4s/.p+/p+/' >wrong.wc
tmd verify wrong.wc --no-search
[[ $status -eq 4 ]] || fail "a published list with a wrong entry passes"
refuses 2 "has no records of a search, which \`tmd search --json FILE\` writes; it is the records of a published page" \
  merge "$published/cbrt.jsonl.xz"

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
succeeds "${small[@]}" --json right.jsonl --wc right.wc
refuses 2 "'right.wc' is a list of cases, not a journal: that is 'right.wc.journal'" status right.wc
{ printf '\xef\xbb\xbf' && cat right.wc; } >marked.wc # as some editors save it
succeeds verify marked.wc --no-search
"$TMD" verify - --no-search < <(cat right.wc) >out 2>err || fail "standard input is not read" # a pipe, so once

# passes ARGUMENT...
passes() {
  succeeds verify "$@"
  grep -qx 'nothing wrong' out || fail "tmd verify $*: something is wrong"
  [[ ! -s err ]] || fail "tmd verify $*: something on stderr"
}
# names TEXT: a mistake in wrong.jsonl, or in the list given, must be found without a search, and named.
names() {
  local text=$1 file=${2:-wrong.jsonl}
  cmp -s right.jsonl "$file" && fail "nothing was planted for '$text'"
  tmd verify "$file" --no-search
  [[ $status -eq 4 && ! -s err ]] || fail "status $status for '$text', not 4"
  grep -qF -- "$text" out || fail "it is not named: '$text'"
}

# A right result.
passes right.jsonl --share 1
grep -qE '^searched again  ok  +1048576 arguments by the (wide|regular) test on .*, 4 cases$' out || fail "not searched again by another test"
passes right.wc --no-search --json found.jsonl
grep -qF '{"type":"check","name":"searched again","looked_at":"-","verdict":"not done","remark":"not asked for"}' found.jsonl ||
  fail "no record of what was not done"
grep -qF '{"type":"summary","failures":0,"partial":false,' found.jsonl || fail "not the summary"
passes right.wc --share 1 --algorithm wide
passes right.jsonl --share 0
if command -v xz >/dev/null; then
  xz -k right.jsonl
  passes right.jsonl.xz --no-search
fi

# Where only the phase walk can be used, it walks again with other windows, and some arguments are evaluated one by one.
walked=(search sin --from 0x1p+10 --to 0x1p+11 --format p22 --bits 12)
succeeds "${walked[@]}" --json walked.jsonl --quiet
passes walked.jsonl --share 1
grep -qE '^walked again    ok  +2097152 arguments by the phase test with phase.width-percent=[0-9]+ and .*, 1046 cases, and [0-9]+ planted$' out ||
  fail "not walked again"
grep -qE '^one by one      ok  +131072 arguments one by one' out || fail "not looked at one by one"
grep -q '^searched again' out && fail "another test is said to have searched"
dropped=$(sed -n '5s/.*"x":"\([^"]*\)".*/\1/p' walked.jsonl)
sed '5d; s/"cases":1046,"exact"/"cases":1045,"exact"/' walked.jsonl >wrong.jsonl
tmd verify wrong.jsonl --share 1
[[ $status -eq 4 ]] || fail "a dropped case passes where the phase walk has searched"
grep -qF "walked again, $dropped: a case of " out || fail "it is not named"
# it can be used nowhere there, and may not say "nothing wrong" with status 0
tmd verify wrong.jsonl --share 1 --algorithm wide
[[ $status -eq 1 ]] || fail "status $status where nothing was searched again"
grep -qx 'walked again    not done  2097152 arguments, where --algorithm wide does not serve' out || fail "that is not said"
tmd verify wrong.jsonl --runs 2097152 --algorithm differences --json found.jsonl
[[ $status -eq 4 ]] || fail "a dropped case passes where all arguments are looked at"
grep -qE '"searched_again":\[\{"algorithm":"differences",' found.jsonl || fail "no record of it"
succeeds "${walked[@]}" --audit 1
grep -qE '^  audit +2097152 arguments \(1 of all\) searched again by the phase test with .*: the same 1046 cases, and' out ||
  fail "--audit has not walked again"

# Mistakes in entries: lines 2 to 5 are cases, line 6 is the summary.
sed 3d right.jsonl >wrong.jsonl
names 'it says 4 cases, but there are 3'
sed '3d; s/"cases":4/"cases":3/' right.jsonl >wrong.jsonl
tmd verify wrong.jsonl --share 1 --json found.jsonl
[[ $status -eq 4 ]] || fail "a dropped case passes"
grep -qx 'searched again, 0x1.0000000002d96p+0: a case of 21.3993 bits, midpoint, has no entry' out || fail "it is not named"
grep -qF '{"type":"failure","check":"searched again","line":null,"x":"0x1.0000000002d96p+0",' found.jsonl || fail "it has no record"
tmd verify wrong.jsonl --no-search
[[ $status -eq 0 ]] || fail "status $status without a search"
sed '4p; s/"cases":4/"cases":5/' right.jsonl >wrong.jsonl
names 'order, line 5, 0x1.000000008e156p+0: it repeats line 4'
sed '3s/2d96p/2d97p/' right.jsonl >wrong.jsonl
names 'entries, line 3, 0x1.0000000002d97p+0: no 20-bit case'
sed '2s/22.0988/22.0989/' right.jsonl >wrong.jsonl
names 'entries, line 2, 0x1.0000000050418p+0: it has 22.0988 bits, not 22.0989 (MPFR and Arb)'
sed '2s/22.0988/22.0987/' right.jsonl >wrong.jsonl
names 'it has 22.0988 bits, not 22.0987 (MPFR and Arb)'
sed '3s/midpoint/representable/' right.jsonl >wrong.jsonl
names 'line 3, 0x1.0000000002d96p+0: its breakpoint is midpoint, not representable (MPFR and Arb)'
sed '3s/"case"/"exact"/' right.jsonl >wrong.jsonl
names 'line 3, 0x1.0000000002d96p+0: it is hard, not exact (MPFR and Arb)'
names 'it says 4 cases, but there are 3'
sed '2h; 2d; 3G' right.jsonl >wrong.jsonl
names 'order, line 3, 0x1.0000000050418p+0: it belongs before line 2: the hardest come first'
sed '5s/927ffp+0/927ffp+1/' right.jsonl >wrong.jsonl
names 'line 5, 0x1.00000000927ffp+1: it lies outside the range'
sed '$d' right.jsonl >wrong.jsonl
names 'there is no summary record: the file has been cut off'
head --bytes=-40 right.jsonl >wrong.jsonl
names 'lines, line 6: it is not a record'
sed '$s/"arguments":"1048576"/"arguments":"1048575"/' right.jsonl >wrong.jsonl
names 'coverage, line 6: it says 1048575 arguments covered, but there are 1048576'

# Mistakes in the header.
sed '1s/"bits":20/"bits":21/' right.jsonl >wrong.jsonl
names "header: its job is stated as 'exp on [0x1p+0, 0x1.00000001p+0), p = 53, e = -1022 to 1023, q = 53, all, K = 20', but"
names 'entries, line 4, 0x1.000000008e156p+0: no 21-bit case: it has 20.4859 bits (MPFR and Arb)'
sed '1s/"bits":20/"bits":19/; 1s/K = 20/K = 19/' right.jsonl >wrong.jsonl
names "header: the command searches exp on [0x1p+0, 0x1.00000001p+0), binary64 with arguments of 53 bits, breakpoints: all, K = 20, but"
sed '1s/"from":"0x1p+0"/"from":"0x1.8p-1"/' right.jsonl >wrong.jsonl
names 'coverage, line 6: it says 1048576 arguments covered, but there are 2251799814733824'
sed '1s/"rounding":"all"/"rounding":"nearest"/' right.jsonl >wrong.jsonl
names "its parts describe 'exp on [0x1p+0, 0x1.00000001p+0), p = 53, e = -1022 to 1023, q = 53, nearest, K = 20'"
sed '1s/--bits 20/--bats 20/' right.jsonl >wrong.jsonl
names "header: the command 'tmd search exp"

# Mistakes in lists.
sed '/2d96p/d' right.wc >wrong.wc
names 'coverage, line 3: it says 4 cases, but there are 3' wrong.wc
sed 's/50418p/50419p/' right.wc >wrong.wc
names 'entries, line 7, 0x1.0000000050419p+0: no 20-bit case' wrong.wc
sed 's/, K = 20\./, K = 22./' right.wc >wrong.wc
names "header: its job is stated as 'exp on [1, 0x1.00000001p+0)" wrong.wc
{ sed 7d right.wc && sed -n 7p right.wc; } >wrong.wc
names 'the hardest come first' wrong.wc

# A short search is searched again part by part, none of it twice.
succeeds verify right.jsonl --seconds 2
grep -qE '^searched again  ok  +1048576 arguments by the (wide|regular) test on .*, 4 cases$' out || fail "parts count twice"

# Mistakes in ranges: binary16 has many arguments near 0 that are all cases; none are where cosh overflows.
succeeds search cosh --format binary16 --quiet --json right.jsonl
passes right.jsonl --share 1
sed -n '/"type":"range"/{/"cases":"all"/=}' right.jsonl | head -n 1 >line
line=$(cat line)
[[ -n $line ]] || fail "cosh has no range of cases"
edge=$(sed -nE "${line}s/.*\"last\":\"([^\"]*)\".*/\\1/p" right.jsonl)
inside=$(sed -E "${line}s/\"last\":\"[^\"]*\"/\"last\":\"0x1p-10\"/" right.jsonl | sed -nE "${line}s/.*\"last\":\"([^\"]*)\".*/\\1/p")
[[ $edge != "$inside" ]] || fail "the range ends where this test moves its end"
sed -E "${line}s/\"last\":\"[^\"]*\"/\"last\":\"0x1p-10\"/" right.jsonl >wrong.jsonl
names "lines, line $line: its \`arguments\` should be "
names "ranges, line $line, 0x1.004p-10: it is a case, beside the range, and has no entry"
sed -E "${line}s/\"slope\":\"[^\"]*\"/\"slope\":\"0x1p-3\"/" right.jsonl >wrong.jsonl
names 'are proven to be cases by another rule, not what the range says'
sed "${line}s/\"above\"/\"below\"/" right.jsonl >wrong.jsonl
names 'f(x) does not lie on that side'
sed "${line}d" right.jsonl >wrong.jsonl
names 'arguments in ranges of cases, but there are 0'

# Left-out arguments make a result partial, even if all else is right.
tmd search "sin(2*x)" --format binary32 --from 0x1p+126 --quiet --bits 20 --json partial.jsonl
[[ $status -eq 1 ]] || fail "status $status of a search that leaves something out, not 1"
tmd verify partial.jsonl --no-search
[[ $status -eq 1 ]] || fail "status $status of a partial result, not 1"
grep -qE '^coverage +note .*: partial: ' out || fail "it is not said to be partial"

# Files that are no results.
refuses 2 "no result given" verify
refuses 2 "cannot read 'none'" verify none
echo 0x1p+0 >plain.wc
refuses 2 "'plain.wc' is not a result of tmd search: " verify plain.wc
: >empty
refuses 2 "'empty' is not a result of tmd search: it is empty" verify empty
sed 1d right.jsonl >headless.jsonl
refuses 2 "it does not begin with a \`search\` record" verify headless.jsonl
# Ranges that the binades of values prove, others for which MPFR has no numbers, and values whose hardness needs many
# bits.
expressions=("exp(x)*2:bfloat16:" "x/(exp(x)-1):p3:--from 0x1p-300 --to 0x1p+100 --values format")
if [[ -n ${TMD_TEST_ALL:-} ]]; then expressions=("exp(x)*2:bfloat16:" "x/(exp(x)-1):p3:"); fi
for expression in "${expressions[@]}"; do
  IFS=: read -r function format options <<<"$expression"
  # shellcheck disable=SC2086  # words
  succeeds search "$function" --format "$format" $options --bits 5 --quiet --json expression.jsonl
  passes expression.jsonl --no-search
done

# Further bits of an expression's value are not computed: the hardness of its cases is a lower bound, and all outputs
# say so.
succeeds search 'log(1+exp(x))' --format binary32 --from 0x1.62ep+11 --to 0x1.62e004p+11 --bits 20 --json least.jsonl --wc least.wc
grep -qE '^4071\.0000  0x1\.62ep\+11 +representable \(or more bits\)$' out || fail "not that a case may have more bits"
[[ $(grep -c '"bits":4071.0,"breakpoint":"representable","or_more":true}' least.jsonl) -eq 2 ]] || fail "no or_more"
grep -q '"or_more":true' least.wc.journal || fail "no or_more in the journal"
succeeds merge least.wc.journal --quiet --json merged.jsonl
[[ $(grep -c '"or_more":true' merged.jsonl) -eq 2 ]] || fail "or_more was lost in merging"
passes least.jsonl --no-search
sed '2s/4071.0/4000.0/' least.jsonl >fewer.jsonl
tmd verify fewer.jsonl --no-search
[[ $status -eq 4 ]] || fail "a case of fewer bits: status $status"
grep -qF 'it has 4071.0000 bits or more, not 4000.0000' out || fail "not how many bits it has"
echo 'x bits
0x1.62ep+11 4083.2' | sed 's/ /\t/' >more.tsv
succeeds check 'log(1+exp(x))' more.tsv --format binary32 --bits 20 --values-only

refuses 2 "--share, --seconds and --no-search exclude each other" verify right.jsonl --share 1 --no-search
refuses 2 "--share must be a number from 0 to 1" verify right.jsonl --share 2
refuses 2 "unknown algorithm" verify right.jsonl --algorithm none

# A journal, whole and in part, and a merged result.
succeeds search exp --from 1 --to 0x1.00001p+0 --bits 24 --shard 1/2 --quiet --wc one.wc
succeeds search exp --from 1 --to 0x1.00001p+0 --bits 24 --shard 2/2 --quiet --wc two.wc
succeeds verify one.wc.journal --seconds 1
grep -q '^nothing wrong$' out || fail "a journal: not that nothing is wrong"
succeeds merge one.wc.journal two.wc.journal --quiet --json merged.jsonl --wc merged.wc
succeeds verify merged.jsonl --seconds 1
refuses 2 "it was merged, and only its records" verify merged.wc --no-search
tmd merge one.wc.journal "$TMD_TESTS/none.journal" --quiet
[[ $status -eq 2 ]] || fail "a part that is missing: status $status"
succeeds search exp --from 1 --to 0x1.000008p+0 --bits 24 --quiet --wc half.wc
succeeds search exp --from 0x1.00001p+0 --to 0x1.000018p+0 --bits 24 --quiet --wc other.wc
tmd merge half.wc.journal other.wc.journal --allow-gaps --quiet --json gaps.jsonl
[[ $status -eq 1 ]] || fail "merged with a gap: status $status, not 1"
tmd verify gaps.jsonl --seconds 1
[[ $status -eq 1 ]] && grep -q 'partial: not searched: 1 range' out || fail "a gap: status $status, or not told"

# Lists by argument, with exact cases in their comments.
succeeds search exp2 --from 1 --to 4 --format binary16 --bits 5 --quiet --order argument --wc ordered.wc
succeeds verify ordered.wc --no-search
sed 's/ --order argument//; s/"order":"argument",//' ordered.wc >unordered.wc
tmd verify unordered.wc --no-search
[[ $status -eq 4 ]] && grep -q 'the hardest come first' out || fail "a list by argument that should not be: status $status"
sed 's/^# Exact: 0x1p+1$/# Exact: 0x1.004p+1/' ordered.wc >wrong.wc
tmd verify wrong.wc --no-search
[[ $status -eq 4 ]] || fail "a wrong exact case in a list: status $status"
