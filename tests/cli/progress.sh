#!/usr/bin/env bash
# The line of progress: on a terminal only, and not with --quiet.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

command -v script >/dev/null || skip "no script(1) to make a terminal"
tmd devices
grep -q "usable  *yes" out || skip "no usable device"

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

# Before the first part is done, too: a batch that takes some ten seconds.
long="search exp --from 64 --to 512 --bits 40 --algorithm exhaustive"
script --quiet --command "timeout --signal INT 8 '$TMD' $long >'$scratch/out'" terminal </dev/null >/dev/null || true
[[ $(grep -oE '0:00:0[0-9] +0\.00 %' terminal | sort -u | wc -l) -ge 3 ]] || fail "no sign of life within the first part"
