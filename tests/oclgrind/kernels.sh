#!/usr/bin/env bash
# The kernels under Oclgrind: no invalid access, no data race, no uninitialized value in the self-test, small searches and
# small measurements.
set -euo pipefail

if ! command -v oclgrind >/dev/null; then
  echo "skipped: oclgrind is not installed"
  exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Oclgrind's compiler does not optimize, nor inline: what that makes of inlined functions its interpreter does not know
# (llvm.experimental.noalias.scope.decl); of a true element of a vector Oclgrind 21.10 makes 255, not 1, where the
# optimizer has it extended by zeros; and where lanes are joined by `or`, --uninitialized crashes.
build_options="-cl-opt-disable -D TMD_INLINE="

checks=(--data-races --uninitialized)

# runs NAME ARGUMENT...: tmd with the arguments must succeed, and Oclgrind must have nothing to report. No limit of time
# but ctest's: on a busy machine seconds become minutes.
runs() {
  local name=$1
  shift
  local status=0
  echo "tmd $*"
  # One thread: several wait for each other without sleeping, which on a busy machine took four times as long.
  # shellcheck disable=SC2016 # by the shell that Oclgrind runs, which sets LD_PRELOAD
  oclgrind --num-threads 1 --build-options "$build_options" "${checks[@]}" --log "$work/log" \
    sh -c 'LD_PRELOAD="$0 $LD_PRELOAD" exec "$@"' "$TMD_OCLGRIND_BUFFERS" "$TMD" "$@" >"$work/out" 2>"$work/err" ||
    status=$?
  if [[ $status -ne 0 || -s $work/log ]]; then
    echo "$name: exit status $status; Oclgrind and tmd say:"
    head -n 60 "$work/log" "$work/err"
    exit 1
  fi
  if ! grep --quiet 'Oclgrind' "$work/out"; then
    echo "$name: it did not run on Oclgrind's device"
    cat "$work/out"
    exit 1
  fi
}

# check NAME ARGUMENT...: the same for a search, which must find cases.
check() {
  runs "$@"
  if ! grep --quiet --extended-regexp '^[1-9][0-9]* hard-to-round cases' "$work/out"; then
    echo "$1: no case was found"
    cat "$work/out"
    exit 1
  fi
}

# Lists are small, because Oclgrind keeps a shadow of all memory.
small=(--set survivor-capacity=4096 --set batch-domains=4096)
check "three kernels" search exp --from 1 --to 0x1.01p+0 --format p27 --bits 14 --domain-bits 7 --algorithm regular \
  "${small[@]}"
check "overflowing lists" search sin --from 1 --to 0x1.0008p+0 --format p24 --bits 5 --domain-bits 5 --algorithm regular \
  --set survivor-capacity=64 --set phase1.items=3 --set phase2.items=2
check "exhaustive" search log --from 1.5 --to 0x1.82p+0 --format p20 --bits 8 --algorithm exhaustive "${small[@]}"
check "lefevre by scan" search exp --from 1 --to 0x1.004p+0 --format p27 --bits 14 --domain-bits 7 "${small[@]}" \
  --algorithm lefevre --compaction scan --set phase1.division=double-reciprocal --set phase1.work-group-size=24
check "one kernel" search exp --from 1 --to 0x1.004p+0 --format p27 --bits 14 --domain-bits 7 "${small[@]}" \
  --algorithm lefevre-swap --deployment one --set phase1.division=reciprocal
scalar=(--algorithm regular --set polynomials.vector-width=1)
check "polynomials on the device" search exp --from 1 --to 0x1.001p+0 --format p27 --bits 12 --domain-bits 7 \
  "${small[@]}" "${scalar[@]}" --polynomials hybrid --set polynomials.packet-bits=4 --spec '{"check-polynomials":"all"}'
# Groups, their candidates, parts and every argument are searched; the self-test refuses some, too, and has chords.
wide=(search exp --from 1 --to 0x1.0008p+0 --format p27 --bits 13 --algorithm wide --domain-bits 10
  --set wide.vector-width=1)
check "wide, sorted" "${wide[@]}" "${small[@]}" --set wide.order=by-lines --set wide.work-group-size=24 \
  --set wide.items=2
check "wide by scan, with overflowing lists" "${wide[@]}" --compaction scan --set survivor-capacity=300 \
  --set wide.work-group-size=16
check "phase walk" search sin --from 1024 --to 0x1.06p+10 --format p19 --bits 9 --algorithm phase --set survivor-capacity=4096
TMD=$(dirname "$TMD")/tmd-lab runs "integer and emulated FP64 division" division --division reciprocal --repeats 1 --operands 500
TMD=$(dirname "$TMD")/tmd-lab runs "division of lengths in double" division --division double-reciprocal --repeats 1 --operands 8
check "vectors" search exp --from 1 --to 0x1.0008p+0 --format p27 --bits 12 --domain-bits 7 "${small[@]}" \
  --polynomials hybrid --set polynomials.packet-bits=4 --spec '{"check-polynomials":"all"}' --set polynomials.vector-width=4 \
  --set phase1.division=double --set phase2.division=double-reciprocal --set phase1.vector-width=4 --set phase2.vector-width=2
check "wide in vectors" "${wide[@]}" "${small[@]}" --compaction scan --set wide.vector-width=4 \
  --set wide.work-group-size=8
# Work-items of these kernels share nothing but lists and marks, of common/, whose races the searches above would show: they are
# looked for here with TMD_TEST_ALL only. One after the other, the two checks take half as long as together.
for checks in ${TMD_TEST_ALL:+--data-races} --uninitialized; do
  runs "tiles" search 'exp(x)*y' --format p12 --bits 8 --x-range 1:1.03125 --y-range 1:1.0625 --no-journal
  if ! grep --quiet --extended-regexp '^57 cases in .* by boxes of pairs in tiles' "$work/out"; then
    echo "tiles: not the cases of other devices"
    cat "$work/out"
    exit 1
  fi
done
