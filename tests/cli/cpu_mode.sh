#!/usr/bin/env bash
# --cpu-mode and TMD_CPU_MODE: refused values, which of the two counts, and the reports.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

unset TMD_CPU_MODE POCL_WORK_GROUP_METHOD
for mode in fast Scalar 1 ''; do
  refuses 2 "unknown CPU mode '$mode'; known are auto, scalar, vector" "${small[@]}" --cpu-mode "$mode"
done
TMD=$TMD_LAB refuses 2 "unknown CPU mode 'fast'" phase1 exp --from 1 --to 2 --cpu-mode fast
TMD_CPU_MODE=fast refuses 2 "unknown CPU mode in TMD_CPU_MODE 'fast'; known are auto, scalar, vector" "${small[@]}"
no_files

tmd devices --json devices.jsonl
grep -q "usable  *yes" out || skip "no usable device"

# asked MODE ARGUMENT...: a search with the arguments must record that mode, or none for a GPU.
asked() {
  local mode=$1
  shift
  succeeds "${small[@]}" --algorithm regular "$@" --json search.jsonl
  local phases='"phase1":"[^"]+","phase2":"[^"]+","phase3":"[^"]+"(,"polynomials_on_device":"[^"]+")?'
  grep -qE "\"cpu_mode\":(null|\{\"asked\":\"$mode\",\"in_effect\":\{$phases\}\})," search.jsonl ||
    fail "no record of the CPU mode $mode with $*"
  grep '"type":"case"' search.jsonl >cases
  [[ $(wc -l <cases) -eq 4 ]] || fail "not four cases with $*"
}

asked auto
TMD_CPU_MODE='' asked auto
TMD_CPU_MODE=scalar asked scalar
TMD_CPU_MODE=scalar asked vector --cpu-mode vector
TMD_CPU_MODE=fast asked auto --cpu-mode auto # the option counts, whatever the environment says

# PoCL has a method that does not vectorize; and the user's own method wins.
pocl=$(grep '"platform":"Portable Computing Language"' devices.jsonl | grep '"class":"cpu"' | head -n 1 |
  sed 's/.*"index":\([0-9]*\).*/\1/')
[[ -n $pocl ]] || skip "no PoCL"
# phase3 TEXT: this must be its mode in effect.
phase3() { grep -qF "\"phase3\":\"$1\"" search.jsonl || fail "phase 3 is not '$1'"; }
# Where PoCL does not say, records have the word, and tables nothing; only `tmd doctor` explains it.
unknown=unknown
asked auto --device "$pocl"
phase3 "$unknown"
if grep -q "unknown" out err; then fail "people are told of an unknown mode"; fi
TMD=$TMD_LAB succeeds phase1 exp --from 1 --to 0x1.001p+0 --algorithm regular --device "$pocl" --repeats 1 --json phase1.jsonl
if grep -q "unknown" out err; then fail "people are told of an unknown mode by a benchmark"; fi
asked scalar --device "$pocl" --cpu-mode scalar
phase3 "not vectorized"
grep -qE "^  CPU mode    scalar asked; .*phase3.* not vectorized" out || fail "the mode is not told"
POCL_WORK_GROUP_METHOD=loops asked vector --device "$pocl" --cpu-mode vector
phase3 "not vectorized"
POCL_WORK_GROUP_METHOD=loopvec asked scalar --device "$pocl" --cpu-mode scalar
phase3 "$unknown"

# The wide test's kernels, without phases.
for mode in scalar vector; do
  succeeds "${small[@]}" --algorithm wide --cpu-mode $mode --device "$pocl" --json search.jsonl
  lanes='explicit vectors of [0-9]+'
  if [[ $mode == scalar ]]; then lanes='not vectorized'; fi
  grep -qE "\"in_effect\":\{[^}]*\"wide_groups\":\"$lanes\"" search.jsonl ||
    fail "the wide test's mode is not told with $mode"
  grep -qE '"in_effect":\{[^}]*"wide_check":"' search.jsonl || fail "the check's mode is not told with $mode"
  if grep -qE '"in_effect":\{[^}]*"phase1"' search.jsonl; then fail "a mode of phases that were not used with $mode"; fi
  grep -qE "^  CPU mode    $mode asked; .*wide_groups.* $lanes" out || fail "the wide test's mode is not in the summary with $mode"
done
