#!/usr/bin/env bash
# A device that is wrong on purpose, in searches as a user starts them (device.cpp): none may end with a wrong list and exit
# status 0. Each fault is there from the beginning, and, in another run, only at the end, when self-tests are over.
# usage: device.sh [PATTERN]   only faults whose name holds the pattern
source "${TMD_TESTS:?the folder of the tests}/faults/faults.bash" || exit

library=${TMD_FAULTY_DEVICE:?the library that stands between the program and its device}

# fault NAME SEARCHES EXPECTED KIND OF [AT_THE_END]: EXPECTED as in kernels.sh; KIND and OF as in device.cpp; AT_THE_END:
# what is expected there, if that is something else.
fault() {
  if [[ $1 == *"${pattern:-}"* ]]; then beside try "$@"; fi
}

try() {
  local search calls made fewer counted
  export TMD_FAULT_LOG=$scratch/calls
  for search in $2; do
    TMD_FAULT="$4 $5 0" LD_PRELOAD=$library run "$search"
    judge "$1" "$search" "$3"
    read -r calls made <"$TMD_FAULT_LOG"
    [[ $made -gt 0 ]] || fail "$1, $search: it never happened"
    # The number of calls without a fault, or almost: not every call can be made wrong, and the length of launches
    # depends on the device's speed. The number of launches of a kernel does not depend on what is done to them.
    counted=$top/calls-$5-$search
    if [[ $5 == [0-9]* ]]; then counted+=-$4; fi
    if [[ ! -e $counted ]]; then
      TMD_FAULT="$4 $5 1000000000" LD_PRELOAD=$library run "$search"
      mv "$TMD_FAULT_LOG" "$counted"
    fi
    read -r calls made <"$counted"
    for ((fewer = 1; fewer <= calls; fewer *= 2)); do
      TMD_FAULT="$4 $5 $((calls - fewer))" LD_PRELOAD=$library run "$search"
      read -r _ made <"$TMD_FAULT_LOG"
      [[ $made -eq 0 ]] || break
    done
    [[ $made -gt 0 ]] || fail "$1, $search: it never happened at the end"
    judge "$1, at the end" "$search" "${6:-$3}"
  done
}

pattern=${1:-}
prepare wide short-regular parts
TMD_FAULT=none LD_PRELOAD=$library run wide
judge "no fault" wide harmless

for kernel in wide_groups wide_check wide_shift; do
  fault "$kernel runs half of its work-groups" wide noticed cut $kernel
  fault "$kernel is not run" wide noticed skip $kernel
  fault "$kernel is run twice" wide noticed twice $kernel
done
for kernel in phase1 phase2 phase3 shift_and_walk; do
  fault "$kernel runs half of its work-groups" short-regular noticed cut $kernel
  fault "$kernel is not run" short-regular noticed skip $kernel
  fault "$kernel is run twice" short-regular noticed twice $kernel
done
for kernel in wide_groups wide_check; do fault "$kernel answers with what it answered before" wide noticed late $kernel; done
for kernel in phase1 phase2 phase3; do fault "$kernel answers with what it answered before" short-regular noticed late $kernel; done
fault "wide_parts runs half of its work-groups" parts noticed cut wide_parts
fault "wide_parts is not run" parts noticed skip wide_parts
fault "a bit is read wrongly" "wide short-regular" noticed flip 1 either # how many reads are last depends on time
fault "a bit of a long read is wrong" "wide short-regular" either flip 64
fault "what is read is old" "wide short-regular" either stale 1
fault "what is written is lost" "wide short-regular" either lost 1

# Boxes of pairs on a device that fails for good: another one does its work, or the journal has what was done.
# shellcheck disable=SC2086 # words
lost_with_pairs() { # the first launch on each device is its self-test
  local driver
  TMD_FAULT="fail boxes_walk 2" LD_PRELOAD=$library tmd ${command[many-boxes]} --quiet --device 0 --wc "$scratch/list.wc"
  judge "boxes_walk fails for good" many-boxes noticed
  [[ $status -eq 3 ]] || fail "status $status, not 3, where the only device has failed"
  succeeds resume "$scratch/list.wc.journal" --quiet
  judge "the search goes on where boxes_walk had failed" many-boxes harmless
  rm -f "$scratch"/list.wc*
  for driver in pthread cpu; do # PoCL offers the same CPU as often as it is asked to
    if [[ $(POCL_DEVICES="$driver $driver" "$TMD" devices 2>/dev/null | grep -c "usable  *yes") -ge 2 ]]; then
      TMD_FAULT="fail boxes_walk 3" LD_PRELOAD=$library POCL_DEVICES="$driver $driver" \
        tmd ${command[many-boxes]} --quiet --device all --wc "$scratch/list.wc"
      judge "boxes_walk fails for good on one of two devices" many-boxes harmless
      grep -q "is lost, the others do its work: " err || fail "no warning tells of the device that has failed"
      break
    fi
  done
}
if [[ "boxes_walk fails for good" == *"$pattern"* ]]; then
  prepare many-boxes
  beside lost_with_pairs
fi

finish
