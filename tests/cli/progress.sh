#!/usr/bin/env bash
# Progress: a line on a terminal only, and not with --quiet; reports wherever --progress asks for them.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# A search of hours, until it has reported three times.
long=(search exp --from 64 --to 512 --bits 40 --algorithm exhaustive)
# reports FORM OPTION...: leaves in `err` the reports up to the third, and those after an interruption.
reports() {
  begins "$TMD" "${long[@]}" --progress "$1:0.2" "${@:2}"
  awaits err . 3
  kill -s INT "$pid"
  status=0
  wait "$pid" || status=$?
  [[ $status -eq 130 ]] || fail "--progress $1: status $status, not 130"
  # If the search does not notice it in time, a last report may follow the sentence.
  [[ $(grep -c '^tmd: interrupted' err) -eq 1 ]] || fail "--progress $1: not one sentence"
  if grep -q $'[\r\033]' err; then fail "--progress $1: what is for a terminal"; fi
}
line='^([0-9]+d )?[0-9]+:[0-9]{2}:[0-9]{2} +[0-9.]+ %  [0-9.e+]+ arguments/s  [0-9]+ cases?  ETA '
reports lines
[[ $(grep -cE "$line" err) -eq $(($(wc -l <err) - 1)) ]] || fail "--progress lines: other lines"
reports json --quiet
record='^\{"type":"progress","seconds":[0-9.e-]+,"arguments":"[0-9]+","total":"[0-9]+","share":[0-9.e-]+,'
record+='"arguments_per_second":[0-9.e+]+,"cases":[0-9]+,"devices":1,"seconds_left":(null|[0-9.e+]+)\}$'
[[ $(grep -cE "$record" err) -eq $(($(wc -l <err) - 1)) ]] || fail "--progress json: other lines"
# Nothing else changes: the cases are the same, and a short search reports nothing.
succeeds "${small[@]}" --wc - --order argument --progress json:3600
sed -i '/^#/d' out
cp out asked
[[ ! -s err ]] || fail "reports of a search that ends before the first"
succeeds "${small[@]}" --wc - --order argument
sed -i '/^#/d' out
cmp -s out asked || fail "other cases with --progress"

command -v script >/dev/null || skip "no script(1) to make a terminal"

# Larger than one batch, so that there is something to report. stdout goes to a file, stderr to the terminal.
medium="search exp --from 1 --to 0x1.001p+0 --bits 40 --set batch-domains=65536 --algorithm regular"
script --quiet --return --command "'$TMD' $medium >'$scratch/out'" terminal </dev/null >/dev/null
grep -qE '[0-9.]+ %  [0-9.e+]+ arguments/s  [0-9]+ cases?  ETA ' terminal || fail "no progress on a terminal"
grep -q "arguments covered" out || fail "no results on stdout"
if grep -q ETA out; then fail "progress on stdout"; fi
# The line is cleared in the end.
tail -c 40 terminal | grep -q $'\r\033\[K' || tail -n 3 terminal | grep -q $'\033\[K' || fail "the line is not cleared"

script --quiet --return --command "'$TMD' $medium --quiet >'$scratch/out'" terminal </dev/null >/dev/null
if grep -q ETA terminal; then fail "progress with --quiet"; fi

# The wide test: a sub-interval a batch.
wide="search exp --from 1 --to 0x1.02p+0 --bits 40 --set batch-domains=64 --algorithm wide"
script --quiet --return --command "'$TMD' $wide >'$scratch/out'" terminal </dev/null >/dev/null
grep -qE '[0-9.]+ %  [0-9.e+]+ arguments/s  [0-9]+ cases?  ETA ' terminal || fail "no progress of the wide test"
grep -qE '^  wide test +[0-9]+ groups ' out || fail "no groups in the summary"

# until_said PATTERN COUNT ARGUMENT...: a search of hours on a terminal, until it has said so many different things that
# match, or for 20 seconds.
cat >until_said <<'END'
#!/usr/bin/env bash
"$TMD" "${@:3}" >out &
for ((i = 0; i < 100; ++i)); do
  if [[ $(grep -aoE "$1" terminal | sort -u | wc -l) -ge $2 ]]; then break; fi
  sleep 0.2
done
kill -TERM $!
wait
END
chmod +x until_said
until_said() {
  export TMD
  script --quiet --flush --command "./until_said $(printf '%q ' "$@")" terminal </dev/null >/dev/null || true
}

# Reports come before the first part is done, too: a batch takes some ten seconds.
until_said '0:00:0[0-9] +0\.00 %' 3 "${long[@]}"
[[ $(grep -oE '0:00:0[0-9] +0\.00 %' terminal | sort -u | wc -l) -ge 3 ]] || fail "no sign of life within the first part"

# With reports there is no line beside them.
until_said '0:00:[0-9]+ .*ETA' 3 "${long[@]}" --progress lines:0.5
grep -q ETA terminal || fail "no reports on a terminal"
if grep -q $'\033' terminal; then fail "reports and the line on one terminal"; fi
