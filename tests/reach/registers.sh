#!/usr/bin/env bash
# Registers, spills and private memory of the kernels that searches spend their time in, on devices that are not at hand, as
# compilers report them, compared with the table in registers.txt: spills or private bytes that appear or grow are a failure,
# other differences are printed.
# usage: registers.sh [--accept]      --accept: writes the table anew
set -euo pipefail
export TMD_TESTS=${TMD_TESTS:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
# shellcheck source=tests/reach/compilers.bash
source "$TMD_TESTS/reach/compilers.bash"

if [[ ${1:-} == compile ]]; then # by xargs, below
  shift
  compile "$@"
  exit
fi

table=$TMD_TESTS/reach/registers.txt
# As the profiles of GPUs have them.
group="ITEMS_PER_WORK_ITEM=1 COMPACTION=1 VECTOR_WIDTH=1"
builds="domains/phase1.cl ALGORITHM=1 DIVISION=4 LOGMS=3 WORK_GROUP_SIZE=256 $group
domains/phase1.cl ALGORITHM=1 DIVISION=5 LOGMS=3 WORK_GROUP_SIZE=128 $group
domains/phase1.cl ALGORITHM=2 DIVISION=5 LOGMS=3 WORK_GROUP_SIZE=128 $group
domains/phase2.cl ALGORITHM=1 DIVISION=5 LOGMS=3 WORK_GROUP_SIZE=128 $group
domains/phase3.cl
domains/polynomials.cl VECTOR_WIDTH=1 WORDS=2 DIFFERENCES=2 FEWER=0 INTERVAL_WORDS=5 BINOMIAL_WORDS=2
differences/runs.cl DIFFERENCES=6
wide/groups.cl RECIPROCALS=0 SORTED=1 WORK_GROUP_SIZE=128 $group
wide/groups.cl RECIPROCALS=0 SORTED=0 WORK_GROUP_SIZE=64 $group
wide/parts.cl RECIPROCALS=0
wide/shift.cl COEFFICIENT_WORDS=7
phase/walk.cl M_WORDS=1 UNIT_BITS=50 TARGETS=1 VECTORIZER=0
phase/walk.cl M_WORDS=2 UNIT_BITS=38 TARGETS=4 VECTORIZER=0
boxes/walk.cl
boxes/walk.cl COMPOUND=1
boxes/walk.cl TILES=1
boxes/pairs.cl
boxes/pairs.cl COMPOUND=1
boxes/pairs.cl TILES=1"

find_compiler
compilers="# clang: $("$clang" --version | head -n 1)"
targets=(gfx90a)
if [[ ${1:-} == --accept || -n ${TMD_TEST_ALL:-} ]]; then targets+=(gfx1030); fi
if command -v ptxas >/dev/null && [[ -e $nvidia_library ]]; then
  targets+=(sm_75 sm_90)
  compilers+=$'\n'"# ptxas: $(ptxas --version | tail -n 1)"
else
  echo "NVIDIA's rows are left out: there is no ptxas (PyPI's nvidia-cuda-nvcc-cu12 has it) or no libclc for it"
fi

for target in "${targets[@]}"; do echo "compile $target ${builds//$'\n'/$'\n'compile $target }"; done |
  xargs -P "$(nproc)" -L 1 "${BASH_SOURCE[0]}" >"$work/figures" || true
if [[ -e $work/failures ]]; then
  cat "$work/failures"
  exit 1
fi
{
  echo "# Made by tests/reach/registers.sh --accept. Spills: registers on AMD's GPUs, bytes on NVIDIA's; private: bytes of a work-item."
  echo "$compilers"
  echo "# kernel target registers spills private build"
  awk '{ printf "%s %s %s %s %s", $1, $2, $3, $7, $6; for (i = 8; i <= NF; ++i) printf " %s", $i; print "" }' \
    "$work/figures" | LC_ALL=C sort
} >"$work/table"
if [[ ${1:-} == --accept ]]; then
  cp "$work/table" "$table"
  exit
fi

if [[ $(grep '^# clang' "$table") != "$(grep '^# clang' "$work/table")" ]] ||
  { [[ "${targets[*]}" == *sm_90* ]] && ! grep -qxF "$(grep '^# ptxas' "$work/table")" "$table"; }; then
  echo "skipped: the table is another compiler's:"
  diff <(grep -E '^# (clang|ptxas)' "$table") <(grep -E '^# (clang|ptxas)' "$work/table") || true
  exit 77
fi
awk -v targets=" ${targets[*]} " '
  /^#/ || !index(targets, " " $2 " ") { next }
  {
    key = $1 " for " $2
    for (i = 6; i <= NF; ++i) key = key " " $i
    figures = $3 " registers, spills " $4 ", " $5 " private bytes"
  }
  FNR == NR { before[key] = figures; spills[key] = $4; private[key] = $5; next }
  !(key in before) { print "FAILED: not in the table: " key ": " figures; failed = 1; next }
  $4 > spills[key] || $5 > private[key] { printf "FAILED: "; failed = 1 }
  figures != before[key] { print key ": expected " before[key] "; came " figures }
  { delete before[key]; ++same }
  END {
    for (key in before) { print "FAILED: no longer built: " key; failed = 1 }
    if (failed) print "To accept what came: tests/reach/registers.sh --accept"
    print same " builds compared"
    exit failed
  }' "$table" "$work/table"
