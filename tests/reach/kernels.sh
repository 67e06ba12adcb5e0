#!/usr/bin/env bash
# Every kernel compiles without a warning for devices that are not at hand: with clang and libclc to the assembly of
# AMD's GPUs, and to SPIR-V. Registers, local memory and spills are printed.
set -euo pipefail

# shellcheck source=tests/reach/compilers.bash
source "${TMD_TESTS:?the folder of the sources of the tests}/reach/compilers.bash"

# AMD's GCN, CDNA and RDNA; Intel's GPUs and whatever else takes SPIR-V; the same where there is no FP64.
targets=(gfx803 gfx90a gfx1030 spir64 spir64-nofp64)

# values MACRO: prints the range that the kernels' own #error gives, "TMD_MACRO is out of range: 1 to 6".
values() {
  local range
  range=$(sed -n "s/^#error \"TMD_$1 is out of range: \([0-9]*\) to \([0-9]*\)\"\$/\1 \2/p" "$kernels"/*/*.cl* | head -n 1)
  seq "${range% *}" "${range#* }"
}

# list_builds WIDTHS COMPACTION...: prints all builds that the host may ask for, a kernel file and its macros (without
# TMD_) a line.
list_builds() {
  local widths=$1 test division width bits turn=0
  shift
  for test in $(values ALGORITHM); do
    for division in $(values DIVISION); do
      local existence="ALGORITHM=$test DIVISION=$division LOGMS=$((turn % 5))"
      local items="ITEMS_PER_WORK_ITEM=$((1 + turn % 2))"
      # The test is that of phase 1: some builds are enough.
      if (((test + division) % 3 == 0)); then echo "domains/baselines/one_kernel.cl $existence $items"; fi
      if (((test + division) % 4 == 0)); then echo "domains/rounds.cl $existence"; fi
      for width in $widths; do
        # vectors: without the baselines, and with lengths in double
        if ((width > 1 && (test > 2 || division < 5))); then continue; fi
        local compaction="COMPACTION=${*:turn % $# + 1:1} WORK_GROUP_SIZE=$((64 << turn % 3)) VECTOR_WIDTH=$width"
        echo "domains/phase1.cl $existence $items $compaction"
        if (((test + division) % 2 == 0)); then echo "domains/phase2.cl $existence $items $compaction"; fi
        turn=$((turn + 1))
      done
    done
  done
  echo "domains/phase3.cl"
  # Builds of the phase walk.
  echo "phase/starts.cl M_WORDS=1 VECTORIZER=0"
  echo "phase/starts.cl M_WORDS=2 VECTORIZER=1"
  for bits in 38 50; do
    echo "phase/walk.cl M_WORDS=1 UNIT_BITS=$bits VECTORIZER=1"
    echo "phase/walk.cl M_WORDS=$((bits / 19)) UNIT_BITS=$bits TARGETS=$((bits / 12)) VECTORIZER=0"
  done
  # Builds of boxes.
  echo "boxes/walk.cl"
  echo "boxes/walk.cl COMPOUND=1"
  echo "boxes/pairs.cl"
  echo "boxes/pairs.cl COMPOUND=1"
  # Builds of differences.
  echo "differences/runs.cl DIFFERENCES=3"
  echo "differences/runs.cl DIFFERENCES=12"
  # Builds of the wide test.
  local reciprocals sorted compaction words
  echo "wide/scalar.cl"
  for words in 4 6 7 10; do echo "wide/shift.cl COEFFICIENT_WORDS=$words"; done
  for reciprocals in $(values RECIPROCALS); do
    echo "wide/parts.cl RECIPROCALS=$reciprocals"
    for width in $widths; do
      for sorted in $(values SORTED); do
        if ((width > 1 && sorted == 1)); then continue; fi
        compaction=$((1 + (reciprocals + sorted + width) % 2))
        echo "wide/groups.cl RECIPROCALS=$reciprocals SORTED=$sorted COMPACTION=$compaction VECTOR_WIDTH=$width" \
          "WORK_GROUP_SIZE=$((128 << sorted)) ITEMS_PER_WORK_ITEM=$((1 + reciprocals))"
      done
    done
  done
  # Builds for the tests of devices.
  echo "library/built_in.cl FORMAT=32 FUNCTION=sqrt RETURNED=0"
  echo "library/built_in.cl FORMAT=32 FUNCTION=sincos RETURNED=2"
  echo "self_test/arithmetic.cl FP64=0"
  echo "self_test/arithmetic.cl FP64=1"
  # Builds for measurements.
  for division in $(values FP64_DIVISION); do echo "bench/fp64_division.cl FP64_DIVISION=$division"; done
  for division in $(values DIVISION); do
    for width in 1 8; do
      echo "bench/integer_division.cl OPERATION=3 ELEMENTS=$width ARRAY_SIZE=1024 DIVISION=$division LOGMS=3"
    done
  done
  for width in $widths; do
    echo "bench/peak.cl VECTOR_WIDTH=$width"
    echo "bench/wide_steps.cl WIDE_STEP=4 RECIPROCALS=0 SORTED=0 COMPACTION=1 VECTOR_WIDTH=$width" \
      "ITEMS_PER_WORK_ITEM=1"
  done
  for step in 1 2 3; do
    echo "bench/wide_steps.cl WIDE_STEP=$step RECIPROCALS=0 SORTED=0 COMPACTION=1 VECTOR_WIDTH=1" \
      "ITEMS_PER_WORK_ITEM=1"
  done
  for step in 1 2 3 4; do echo "bench/phase_steps.cl PHASE_STEP=$step M_WORDS=$((1 + step / 3)) TARGETS=$((1 + step % 2)) VECTORIZER=1"; done
  # Values that searches use, and the ends of the ranges.
  local words differences interval binomial
  while read -r words differences interval binomial; do
    for width in $widths; do
      if ((width > 1)) && [[ "$words $differences" != "2 2" ]]; then continue; fi
      echo "domains/polynomials.cl VECTOR_WIDTH=$width WORDS=$words DIFFERENCES=$differences FEWER=$((words % 2))" \
        "INTERVAL_WORDS=$interval BINOMIAL_WORDS=$binomial"
    done
  done <<<"2 0 2 1
2 1 4 2
2 2 5 2
2 3 7 3
3 4 9 4
4 6 11 5
7 12 16 8"
}

if [[ ${1:-} == compile ]]; then # by xargs, below
  shift
  compile "$@"
  exit
fi

find_compiler
echo "$("$clang" --version | head -n 1), $library, SPIR-V by ${translator:-nothing: no llvm-spirv, bitcode only}"

list_builds "1 2" 1 2 >"$work/builds" # GPUs are not for wider vectors
list_builds "1 2 4 8 16" 1 2 3 >"$work/builds-spir64"
needs_fp64="DIVISION=[56]|FP64_DIVISION=1|FP64=1|^boxes"
grep -vE "$needs_fp64" "$work/builds-spir64" >"$work/builds-spir64-nofp64"
find "$kernels" -name '*.cl' -printf '%P\n' >"$work/files"
while read -r file; do
  if ! grep -q "^$file" "$work/builds"; then
    echo "FAILED: list_builds has no build of $file"
    exit 1
  fi
done <"$work/files"
status=0
# Without FP64 a build that needs it is refused with a sentence.
set_options spir64-nofp64
if "$clang" "${options[@]}" -cl-std=CL1.2 -DTMD_ALGORITHM=1 -DTMD_DIVISION=5 -DTMD_LOGMS=3 -o "$work/none" \
  "$kernels/domains/rounds.cl" 2>"$work/log" || ! grep -q 'error: "TMD_DIVISION .* need FP64' "$work/log"; then
  echo "FAILED: lengths in double without FP64 are not refused by their own sentence"
  status=1
fi
# Every build for SPIR-V with or without FP64, in turn, which warns as the others do, and every second one, and one of each file,
# for one of AMD's GPUs, which has to be optimized; wide vectors, which no GPU gets, for SPIR-V with FP64. With TMD_TEST_ALL: every
# build for each target.
if [[ -z ${TMD_TEST_ALL:-} ]]; then
  turns="NR % 2 == 0 && !/$needs_fp64|VECTOR_WIDTH=(4|8|16)/"
  awk "$turns" "$work/builds-spir64" >"$work/builds-spir64-nofp64"
  awk "!($turns)" "$work/builds-spir64" >"$work/some"
  mv "$work/some" "$work/builds-spir64"
fi
amd=0
for target in "${targets[@]}"; do
  list=$work/builds
  if [[ -e $work/builds-$target ]]; then
    list=$work/builds-$target
  elif [[ -z ${TMD_TEST_ALL:-} ]]; then
    awk -v turn=$((amd++)) '(++of[$1] % 2 == 1) && ++count % 3 == turn' "$work/builds" >"$work/builds-$target"
    list=$work/builds-$target
  fi
  sed "s/^/compile $target /" "$list"
done | xargs -P "$(nproc)" -L 1 "${BASH_SOURCE[0]}" >"$work/figures" || status=1
if [[ -e $work/failures ]]; then
  head -n 100 "$work/failures"
  echo "$(grep -c ^FAILED "$work/failures") builds failed"
fi

# Prints a line for each kernel and target, then the builds whose registers did not suffice.
sort -s -k1,1 -k2,2 "$work/figures" | awk '
  function range(least, most) { return least == most ? least : least "-" most }
  function row(a, b, c, d, e, f, g, h) { printf "%-16s%-15s%7s%11s%11s%8s%9s%8s\n", a, b, c, d, e, f, g, h }
  function flush() {
    if (builds > 0)
      row(kernel, target, builds, range(v0, v1), range(s0, s1), lds, scratch, spilling)
  }
  BEGIN { row("kernel", "target", "builds", "VGPRs", "SGPRs", "LDS", "scratch", "spills") }
  $1 != kernel || $2 != target {
    flush()
    kernel = $1; target = $2; v0 = v1 = $3; s0 = s1 = $4; lds = $5; scratch = $6
    builds = spilling = 0
  }
  {
    if ($3 < v0) v0 = $3
    if ($3 > v1) v1 = $3
    if ($4 < s0) s0 = $4
    if ($4 > s1) s1 = $4
    if ($5 > lds) lds = $5
    if ($6 > scratch) scratch = $6
    builds += 1
    spilling += $7 > 0
  }
  END { flush(); print "LDS and scratch: bytes at most; spills: builds that spill registers" }'
sort "$work/figures" | awk '$6 > 0 || $7 > 0 {
  build = $8
  for (i = 9; i <= NF; ++i)
    build = build " " $i
  printf "%s for %s spills %d registers, uses %d bytes of scratch: %s\n", $1, $2, $7, $6, build
}'
exit "$status"
