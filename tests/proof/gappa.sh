#!/usr/bin/env bash
# Gappa proves what doc/theory/wide-test.md says of the wide test's floats, doc/theory/phase-walk.md of those of a basis,
# and doc/theory/boxes.md of roots and points in boxes, with the constants that stand in the sources.
set -euo pipefail

root=$(realpath "${TMD_TESTS:?the folder of the sources of the tests}/..")
command -v gappa >/dev/null || {
  echo "skipped: no gappa (package gappa)"
  exit 77
}

# log2 of the greatest M, of a group and of a part, and Q for which residue.g, member.g and integers.g, which speak of
# integers in float, are proven. line.g and root.g hold for any.
half_width_bits=26
half_width_bits_of_part=21
denominator_bits=22

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# constant FILE PATTERN: prints the match of the pattern's group, in the one line of the file that has it.
constant() {
  local found
  found=$(sed -nE "s|^.*$2.*\$|\1|p" "$root/$1")
  [[ $(wc -w <<<"$found") -eq 1 ]] || fail "$1 has not one line like '$2'"
  echo "$found"
}
lines=cl_kernels/wide/lines.clh
plan=host/engine/wide/plan
line_rounding=$(constant $lines 'define TMD_LINE_ROUNDING ([0-9.e-]+)f')
root_rounding=$(constant $lines 'define TMD_ROOT_ROUNDING ([0-9.e-]+)f')
crowded=cl_kernels/wide/crowded.clh
chord_most=$(constant $crowded 'define TMD_CHORD_MOST ([0-9.]+)f')
chord_rounding=$(constant $crowded 'define TMD_CHORD_ROUNDING ([0-9.]+)f')
chord_widest=$(constant $crowded 'define TMD_CHORD_WIDEST ([0-9.]+)f')
denominator=$(constant cl_kernels/wide/fraction.clh 'define TMD_MOST_DENOMINATOR ([0-9]+)\.0f')
group_bits=$(constant $plan.hpp 'most_group_bits = ([0-9]+);')
unparted_bits=$(constant host/engine/wide/constants.hpp 'std::max\(1, \(group_bits - ([0-9]+)\) / 2\), group_bits - 2\)')
ranges=$(constant cl_kernels/phase/walk.clh 'float slack = 0x(1p-[0-9]+)f \* size')
[[ $(constant cl_kernels/boxes/lines.clh 'float slack = 0x(1p-[0-9]+)f \* size') == "$ranges" ]] || fail "boxes have other ranges"
constant cl_kernels/common/short_vectors.clh 'fabs\(off\) < (0x1p-12f) \?' >/dev/null
boxes=cl_kernels/boxes/lines.clh
box_error=$(constant $boxes 'define TMD_ROOT_ERROR (0x1.4p-21)f')
box_clear=$(constant $boxes 'c\.near_enough \* fmax\(0x1p([0-9]+)f \* c\.near_enough, 0x1p3f \* fabs\(v->square\)\)')
box_bend=$(constant $boxes 'c\.near_enough \* fmax\(0x1p6f \* c\.near_enough, 0x1p([0-9]+)f \* fabs\(v->square\)\)')
box_square=$(constant $boxes 'fmax\(at->c\.clear, 0x(1p-[0-9]+)f \* square\)')
box_quick=$(constant $boxes 'fabs\(fma\(-sum, inverse, 1\.0f\)\) <= 0x(1p-[0-9]+)f')
box_pad=$(constant $boxes 'float pad = 0x(1p-[0-9]+)f \* at->c\.size')
point=$(constant $boxes 'define TMD_POINT_ERROR (0x1.8p-22)f')
constant cl_kernels/phase/walk.clh "($point)f \* \(of_points \+ of_roots\)" >/dev/null
terms=$(constant cl_kernels/common/short_vectors.clh 'define TMD_MOST_TERMS 0x1p([0-9]+)f')
constant $boxes 'sum_of\(s->vectors\[0\]\) >= 0x(1p-9)f \* size' >/dev/null # which makes n0 less than 3,600
floor_bits=$(constant $plan.cpp 'max\(curvature\.value\(\), 0x1p-([0-9]+)\)')
[[ $denominator -eq $((1 << denominator_bits)) ]] || fail "the proofs are for other Q than up to $denominator"
[[ $group_bits -eq $((half_width_bits + 1)) ]] || fail "the proofs are for other M than up to 2^$((group_bits - 1))"
for ((bits = 3; bits <= group_bits; ++bits)); do # (bits − 14)/2 as in C++
  part_bits=$(((bits - unparted_bits) / 2 > 1 ? (bits - unparted_bits) / 2 : 1))
  [[ $((bits - 1 - part_bits)) -le $half_width_bits_of_part ]] || fail "the proofs are for smaller parts than those of 2^$bits"
done
part=$(((1 << half_width_bits_of_part) + 8 + 3 * denominator / 2))

# proves NAME [EDIT]: succeeds if Gappa proves it, also after sed's EDIT.
proves() {
  sed -E "${2:-}" "$root/tests/proof/$1.g" |
    sed "s/@LINE_ROUNDING@/$line_rounding/; s/@ROOT_ROUNDING@/$root_rounding/; s/@FLOOR@/1b-$floor_bits/
         s/@DENOMINATOR@/$denominator/; s/@PART@/$part/; s/@MEMBER@/$((part + denominator))/
         s/@CHORD_MOST@/$chord_most/; s/@CHORD_ROUNDING@/$chord_rounding/; s/@CHORD_WIDEST@/$chord_widest/
         s/@RANGES@/${ranges/p/b}/; s/@ERROR@/$box_error/; s/@OF_T@/1b$box_clear/; s/@OF_BEND@/1b$box_bend/
         s/@POINT@/$point/; s/@TERMS@/1b$terms/
         s/@SQUARE@/${box_square/p/b}/; s/@QUICK@/${box_quick/p/b}/g; s/@PAD@/${box_pad/p/b}/" |
    gappa >log 2>&1
}
# too_much NAME EDIT: the edit changes it into something that Gappa understands and cannot prove.
too_much() {
  ! sed -E "$2" "$root/tests/proof/$1.g" | cmp -s - "$root/tests/proof/$1.g" || fail "$1.g: '$2' changes nothing"
  ! proves "$1" "$2" || fail "$1.g is proven after '$2', too"
  grep -q "some properties were not satisfied" log || fail "$1.g after '$2': $(cat log)"
}

cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
for proof in line root member residue integers chord dual point box_roots; do
  proves $proof || fail "$proof.g: $(cat log)"
done
# Slightly smaller bounds cannot be proven.
too_much line 's/@LINE_ROUNDING@/14b-24/'
too_much line 's/@FLOOR@/1b-43/'
too_much line 's/3b-24/6b-24/'
too_much root 's/= 6b-24/= 9b-24/'
too_much root 's/left\| <= 17b-24/left| <= 14b-24/'
too_much member 's/@ROOT_ROUNDING@/27b-24/'
too_much member 's/<= 8 /<= 3 /'
too_much residue 's/@DENOMINATOR@/8388608/'
too_much residue 's/65540/8388608/'
too_much chord 's/@CHORD_MOST@/8192/'
too_much chord 's/@CHORD_ROUNDING@/1b-9/'
too_much chord 's/residue in \[0, 0.5\]/residue in [0, 6]/' # Q = 4M
too_much dual 's/@RANGES@/1b-15/'
too_much dual 's/4097b-24/9000b-24/'
too_much dual 's/4\.001/5.2/g'
too_much point 's/@TERMS@/1b21/'
too_much point 's/@POINT@/5b-24/'
too_much point 's/c\| <= 2b-24/c| <= 3b-24/'
too_much box_roots 's/@SQUARE@/1b-20/'
too_much box_roots 's/@OF_T@/16/'
too_much box_roots 's/@OF_BEND@/7/'
too_much box_roots 's/error in \[@ERROR@/error in [1b-25/'
too_much box_roots 's/term\| <= @ERROR@/term| <= 7b-24/'
too_much box_roots 's/@QUICK@/1b-14/g'
too_much box_roots 's/@PAD@/1b-18/'
too_much integers 's/@MEMBER@/73400320/' # M = 2^26, Q = 2^22
