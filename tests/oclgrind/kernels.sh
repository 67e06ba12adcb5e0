#!/usr/bin/env bash
# The kernels under Oclgrind: no invalid access, no data race, no uninitialized value in the self-test and small searches.
set -euo pipefail

if ! command -v oclgrind >/dev/null; then
  echo "skipped: oclgrind is not installed"
  exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check NAME ARGUMENT...: tmd with the arguments must succeed, find cases, and Oclgrind must have nothing to report.
check() {
  local name=$1
  shift
  local status=0
  echo "tmd $*"
  oclgrind --data-races --uninitialized --log "$work/log" "$TMD" "$@" >"$work/out" 2>"$work/err" || status=$?
  if [[ $status -ne 0 || -s $work/log ]]; then
    echo "$name: exit status $status; Oclgrind and tmd say:"
    head -n 60 "$work/log" "$work/err"
    exit 1
  fi
  if ! grep --quiet 'Oclgrind' "$work/out"; then
    echo "$name: the search did not run on Oclgrind's device"
    cat "$work/out"
    exit 1
  fi
  if ! grep --quiet --extended-regexp '^[1-9][0-9]* hard-to-round cases' "$work/out"; then
    echo "$name: no case was found"
    cat "$work/out"
    exit 1
  fi
}

check "three phases" search exp --from 1 --to 0x1.01p+0 --format p27 --bits 14 --domain-bits 7
check "overflowing lists" search sin --from 1 --to 0x1.002p+0 --format p24 --bits 9 --domain-bits 5 \
  --set survivor-capacity=9 --set phase1.items=3 --set phase2.items=2
check "exhaustive" search log --from 1.5 --to 0x1.82p+0 --format p20 --bits 8 --algorithm exhaustive
