#!/usr/bin/env bash
# Devices that are not wrong, but have less than others (other_device.cpp): no FP64, an fma of FP64 that rounds twice, a small
# stack of the threads that run work-groups, or no device at all. A search finds the right list, or says what is missing.
source "${TMD_TESTS:?the folder of the tests}/faults/faults.bash" || exit

library=${TMD_OTHER_DEVICE_LIBRARY:?the library that stands between the program and its device}

# with DIFFERENCE COMMAND...: runs the command on a device with that difference.
with() {
  local -x TMD_OTHER_DEVICE=$1 LD_PRELOAD=$library
  "${@:2}"
}

# finds SEARCH DIFFERENCE: the search must find the right list.
finds() {
  with "$2" run "$1"
  judge "$2" "$1" harmless
}

prepare regular lefevre exhaustive wide
[[ $(grep -c '^   usable' out) -eq 1 ]] || skip "several devices"
grep -q "FP64 yes" out || skip "no FP64"

# The device has no FP64.
double=(search exp --from 1 --to 0x1.00000001p+0 --bits 20 --algorithm regular --set)
for tunable in phase1.division=double phase2.division=double-reciprocal; do
  with no-fp64 refuses 2 "$tunable needs FP64, which device 0 (" "${double[@]}" $tunable
done
finds lefevre no-fp64
[[ ! -s err ]] || fail "a warning without FP64"

# The fma of FP64 rounds twice: searches that would use it do without, and say so once.
for search in regular lefevre exhaustive; do
  finds $search unfused-fma
  if [[ $search == regular ]] || grep -q 'FP64' err; then
    [[ $(grep -c '^tmd: warning: device 0 (.*) does not compute in FP64 as OpenCL asks for (fma in FP64 is wrong: ' err) -eq 1 ]] ||
      fail "$search: not one warning of FP64"
  fi
done
with unfused-fma succeeds "${double[@]}" phase1.division=double
with no-fp64 succeeds doctor
with unfused-fma tmd doctor # all lines, except that boxes of pairs need a right FP64
[[ $status -eq 3 && $(grep -c '^to do' out) -eq 1 ]] || fail "doctor: status $status with an fma that rounds twice"
grep -qE '^to do +self-test +boxes of pairs: .* fma in FP64 is wrong' out || fail "doctor does not say that boxes are not served"

# The stack has room for fewer work-items than are asked for: PoCL would overrun it.
for kilobytes in 512 8192; do
  command[wide-large]="${command[wide]} --set wide.work-group-size=1024"
  cp right-wide right-wide-large
  (
    ulimit -s $kilobytes
    run wide-large
    judge "a stack of $kilobytes KiB" wide-large harmless
  )
done
if [[ $(with none "$TMD" devices) == *"class          cpu"* ]]; then
  (
    ulimit -s 512
    succeeds doctor
    grep -qE '^to do +stack +of 512 KiB a thread: room for 16 work-items in a work-group; ' out || fail "doctor does not tell of the stack"
  )
  succeeds doctor
  grep -qE '^ok +stack +of [0-9]+ KiB a thread' out || fail "doctor does not tell of the stack"
fi

# Mesa's platforms: Rusticl has no devices until a driver is named, and Clover none that another platform lacks.
unset RUSTICL_ENABLE
with rusticl refuses 3 "RUSTICL_ENABLE names, which is not set; set it to radeonsi" devices
RUSTICL_ENABLE=bogus with rusticl refuses 3 "RUSTICL_ENABLE names, which is 'bogus'" devices
RUSTICL_ENABLE='' with rusticl,clover refuses 3 "the OpenCL platform 'rusticl' offers no device" devices
with clover succeeds doctor
grep -qE '^ok +platform +Clover, OpenCL 1.1 Mesa, without devices: others have them' out || fail "Clover is something to do"

finish
