#!/usr/bin/env bash
# tmd compare: every combination runs in a process of its own; failed ones are shown, and the others continue.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

small=(compare "${small[@]:1}") # options of the same search

# Bad options are refused before anything runs.
refuses 2 "unknown option '--bogus'" compare --bogus
refuses 2 "Try \`tmd compare --help\`." compare --bogus
refuses 2 "unexpected argument 'log'" compare exp log --from 1 --to 2
refuses 2 "unknown function 'expp'" compare expp --from 1 --to 2
refuses 2 "--from is missing" compare exp
refuses 2 "--bits needs a FUNCTION" compare --bits 40
refuses 2 "--from needs a FUNCTION" compare --from 1 --to 2
refuses 2 "--bits must be an integer from 1 to 120, not '0'" "${small[@]}" --bits 0
refuses 2 "unknown algorithm 'quantum'" "${small[@]}" --algorithm regular --algorithm quantum
refuses 2 "unknown CPU mode 'fast'" "${small[@]}" --cpu-mode fast
refuses 2 "unknown deployment 'two'" "${small[@]}" --deployment two
refuses 2 "unknown tunable 'bogus'" "${small[@]}" --set bogus=1
refuses 2 "--set takes NAME=VALUE" "${small[@]}" --set bogus
refuses 2 "--runs must be an integer from 1 to 1000, not '0'" "${small[@]}" --runs 0
for seconds in 0 -1 soon nan inf 1s; do
  refuses 2 "--timeout must be a positive number, not '$seconds'" "${small[@]}" "--timeout=$seconds"
done
refuses 2 "cannot write 'missing/file'" "${small[@]}" --json missing/file
refuses 2 "cannot write 'missing/file.svg'" "${small[@]}" --plot missing/file.svg
# The ending decides the form of the drawing.
refuses 2 "must end in .svg, .png or .pdf" "${small[@]}" --plot files/figure.jpg
refuses 2 "name the same file" "${small[@]}" --json files/both.svg --plot ./files/both.svg
refuses 3 "no device fits 'no such device'" "${small[@]}" --device "no such device"
# A figure that cannot be drawn is refused before the hours that a range would take.
TMD_PYTHON=$scratch/none refuses 2 "this needs Python 3 with" compare exp --from 1 --to 2 --plot files/figure.svg
# Mistakes in the options are named first.
TMD_PYTHON=$scratch/none refuses 2 "--json and --plot name the same file" "${small[@]}" --json files/both.svg --plot ./files/both.svg
OCL_ICD_VENDORS=$scratch/not-there refuses 3 "no OpenCL device found" compare
no_files

# OpenCL's functions have options of their own.
refuses 2 "--all has no effect without --built-ins" compare --all
refuses 2 "--seed has no effect without --built-ins" "${small[@]}" --seed 1
refuses 2 "--algorithm has no effect with --built-ins" compare --built-ins --algorithm wide
refuses 2 "--seconds and --seed have no effect with --all" compare --built-ins --all --seed 1
refuses 2 "OpenCL C has no function 'native_erf'" compare --built-ins exp native_erf
no_files

# The manual names every option that the help does.
succeeds compare --help
grep -oE '^ +(-h, )?--[a-z-]+' out | grep -oE '\--[a-z-]+' | sort -u >in_help
sed 's/\\-/-/g' "$TMD_TESTS/../app/tmd.1" | sed -n '/^\.Ss Compare options/,/^\.Ss [^C]/p' |
  grep -E '^\.It Fl Fl' | grep -oE 'Fl Fl [a-z-]+' | sed 's/^Fl Fl /--/' | sort -u >in_manual
comm -13 in_help in_manual >differing
comm -23 in_help in_manual |
  grep -vxE -- '--(help|from|to|format|argument-precision|rounding|bits|domain-bits)' >>differing || true
[[ ! -s differing ]] || fail "help and manual differ in $(paste -sd' ' differing)"

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
device=$(sed -n '/^[0-9]/{s/ .*//;h}; /usable  *yes/{g;p;q}' out)
small+=(--device "$device")

# Three algorithms in two modes (a GPU has one) run twice each.
succeeds "${small[@]}" --runs 2 --json files/log.jsonl
rows=$(grep -cE '^(\*| ) (regular|lefevre|wide) ' out)
[[ $rows -eq 6 || $rows -eq 3 ]] || fail "$rows rows"
grep -q "^4 cases in every row, the same; fastest: device $device, " out || fail "not the four cases in every row"
[[ $(grep -c '^\* ' out) -eq 1 ]] || fail "not one best of the device"

# Without kernels there is nothing to compare.
TMD_KERNEL_PATH=$scratch/not-there refuses 3 "TMD_KERNEL_PATH names '$scratch/not-there', which is not a folder" "${small[@]}"

# If kernels cannot be built, each combination says so.
cp -r "$TMD_TESTS/../cl_kernels" broken
echo '#error "broken by the test"' >>broken/common/portable.clh
export TMD_KERNEL_PATH=$scratch/broken
tmd "${small[@]}" --foreign-kernels --json files/failed.jsonl --timeout 60
[[ $status -eq 3 ]] || fail "broken kernels: status $status, not 3"
grep -qE "^tmd: $rows of $rows combinations failed" err || fail "broken kernels: not the sentence"
[[ $(grep -c "failed: building kernel " out) -eq $rows ]] || fail "broken kernels: not every row says why"
unset TMD_KERNEL_PATH
rm -r broken

# If a kernel of one algorithm cannot be built, the other algorithms continue.
cp -r "$TMD_TESTS/../cl_kernels" broken
for lengths in '' _double; do echo '#error "broken by the test"' >>"broken/domains/existence_lefevre$lengths.clh"; done
export TMD_KERNEL_PATH=$scratch/broken
tmd "${small[@]}" --foreign-kernels
[[ $status -eq 3 ]] || fail "one broken algorithm: status $status, not 3"
[[ $(grep -c '^  lefevre .* failed: building kernel domains/phase1.cl ' out) -eq $((rows / 3)) ]] ||
  fail "one broken algorithm: not shown"
grep -qE "^4 cases in $((rows * 2 / 3)) of $rows rows; fastest: .* (regular|wide)," out ||
  fail "one broken algorithm: the others did not go on"
unset TMD_KERNEL_PATH

# A search that would take hours is given up in time, and ends with the program, which leaves no process behind.
long=(compare exp --from 1 --to 2 --bits 35 --device "$device" --algorithm regular --cpu-mode scalar)
tmd "${long[@]}" --timeout 1.5
[[ $status -eq 3 ]] || fail "out of time: status $status, not 3"
grep -q 'failed: it took more than 1.5 s (--timeout)$' out || fail "out of time: not shown"

# await_child: sets `child` to the process that the command behind begins has started.
await_child() {
  for ((waited = 0; waited < 600; ++waited)); do
    child=$(children_of "$pid")
    if [[ -n $child ]]; then return; fi
    sleep 0.1
  done
  fail "no process was started"
}
for signal in TERM KILL; do
  begins "$TMD" "${long[@]}" --json files/none.jsonl
  await_child
  kill -s "$signal" "$pid"
  status=0
  wait "$pid" || status=$?
  for ((waited = 0; waited < 100; ++waited)); do
    if ! is_running "$child"; then break; fi
    sleep 0.1
  done
  if is_running "$child"; then fail "SIG$signal: the search goes on"; fi
  [[ ! -e files/none.jsonl ]] || fail "SIG$signal: a file was written"
  if [[ $signal == TERM ]]; then
    [[ $status -eq 130 ]] || fail "SIGTERM: status $status, not 130"
    grep -q '^tmd: interrupted: 0 of 1 combinations were run; no file was written$' err || fail "SIGTERM: not the sentence"
  fi
done

# The table of built-in functions ends in the same way.
begins "$TMD" compare --built-ins exp sqrt --device "$device" --seconds 30 --json files/none.jsonl
await_child
kill -s TERM "$pid"
status=0
wait "$pid" || status=$?
[[ $status -eq 130 ]] || fail "SIGTERM at built-in functions: status $status, not 130"
grep -q '^tmd: interrupted: 0 of 2 functions were called; no file was written$' err ||
  fail "SIGTERM at built-in functions: not the sentence"

# The default job, and the records.
succeeds compare --device "$device" --algorithm regular --algorithm wide --cpu-mode vector --json files/standard.jsonl
grep -q '^243 cases in every row' out || fail "not the 243 cases of the standard job"
python3 -c '' 2>/dev/null || skip "the JSON Lines: no python3"
python3 - <<'PYTHON'
import json, sys

def check(condition, what):
    if not condition:
        sys.exit("FAILED: " + what)

stages = {"polynomials_on_device", "phase1", "phase2", "phase3", "wide_polynomials", "wide_groups", "wide_refused",
          "wide_refused_again", "wide_check", "phase_starts", "phase_walk", "phase_again", "phase_host",
          "phase_planted", "roots", "differences"}
for name, cases, failed in ("log", 4, False), ("failed", None, True), ("standard", 243, False):
    records = [json.loads(line) for line in open("files/" + name + ".jsonl")]
    head, cells, summary = records[0], records[1:-1], records[-1]
    check(head["type"] == "comparison" and summary["type"] == "summary", "first or last record")
    check(all(cell["type"] == "cell" for cell in cells) and len(cells) == summary["cells"], "cells")
    check({"job", "devices", "nmdm", "version"} <= head.keys(), "keys of the comparison")
    for cell in cells:
        check({"device", "algorithm", "cpu_mode", "deployment", "state", "failure"} <= cell.keys(), "keys of a cell")
        check(cell["state"] == ("failed" if failed else "done"), "state")
        check((cell["failure"] is None) != failed, "failure")
        if not failed:
            check(cell["cases"] == cases, "cases")
            check(set(cell["seconds"]) == stages | {"device", "planning", "wall"}, "seconds")
            check(abs(sum(cell["seconds"][stage] for stage in stages) - cell["seconds"]["device"]) < 1e-9, "their sum")
            check(cell["arguments_per_second"] > 0, "rate")
    check(summary["cases"] == cases, "cases of the summary")
    check(summary["failed"] == (len(cells) if failed else 0), "failed of the summary")
    if name == "log":
        check(all(len(cell["device_seconds_of_runs"]) == 2 for cell in cells), "two runs")
        check([cell["best"] for cell in cells].count(True) == 1, "one best")
        check({"regular", "lefevre"} == set(head["nmdm"]), "NMDM of both tests")
    elif name == "standard":
        regular, wide = cells
        check(regular["algorithm"] == "regular" and wide["algorithm"] == "wide", "the two algorithms")
        check(regular["seconds"]["wide_groups"] == 0 and regular["seconds"]["phase1"] > 0, "seconds of the regular test")
        check(wide["seconds"]["wide_groups"] > 0 and wide["seconds"]["phase1"] == 0, "seconds of the wide test")
        check(wide["gain"] is None and wide["ratio"] > 0, "no gain without Lefèvre's test")
    else:
        check(cells, "cells of kernels that cannot be built")
PYTHON

# The errors of OpenCL's functions, beside the allowed ones: a row each, and a record for each device.
tmd compare --built-ins exp native_exp sqrt --device "$device" --seconds 0.2 --seed 1 --json files/built_ins.jsonl
[[ $status -eq 0 || $status -eq 4 ]] || fail "built-ins: status $status"
grep -qE "^exp +3 +[0-9.]+( broken)?$" out || fail "no row of exp"
grep -qE "^native_exp +[0-9.e+]+$" out || fail "no row of native_exp, whose error is open"
[[ $(grep -c '"type":"built_in",' files/built_ins.jsonl) -eq 3 ]] || fail "not three records"
"$TMD_TESTS/records.py" files/built_ins.jsonl || fail "wrong records"
tmd compare --built-ins exp --device "$device" --seconds 0.2 --build-options -DTMD_FUNCTION=expm1
[[ $status -eq 4 ]] || fail "a wrong function has status $status"
grep -qE "^exp +3 +.* broken$" out || fail "a wrong function is not broken"
tmd compare --built-ins exp sqrt --device "$device" --seconds 0.2 --build-options '-DTMD_FUNCTION(x)=nothing(x)' --json files/built_ins.jsonl
[[ $status -eq 3 ]] || fail "functions that cannot be built have status $status"
[[ $(grep -c '^  device [0-9]*: ' out) -eq 2 && $(grep -c '"state":"failed","failure":"' files/built_ins.jsonl) -eq 2 ]] ||
  fail "it is not said why they failed"
