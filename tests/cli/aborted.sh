#!/usr/bin/env bash
# A library that aborts or crashes, as PoCL, LLVM and GMP do without memory: the program ends with a sentence, the
# status of a failed device, and no temporary file. Where Ctrl-C comes first, which ends the linker that PoCL waits for, the
# program was interrupted.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# ends_by SIGNALS STATUS TEXT: the sentence begins with TEXT.
ends_by() {
  local signal
  begins "$TMD" search exp --from 64 --to 512 --bits 40 --wc files/list.wc
  awaits out "^on device"
  sleep 0.3
  for signal in $1; do kill -s "$signal" "$pid"; done
  status=0
  wait "$pid" || status=$?
  [[ $status -eq $2 ]] || fail "SIG$1: status $status, not $2"
  [[ $(grep -c "^tmd: $3" err) -eq 1 ]] || fail "SIG$1: not the sentence"
  no_files
}

ends_by ABRT 3 "a library has aborted"
ends_by "INT ABRT" 130 "interrupted"
[[ -z ${ASAN_OPTIONS:-} ]] || skip "AddressSanitizer takes all address space, and tells of crashes itself"
for signal in SEGV BUS ILL; do ends_by "$signal" 3 "a library, or tmd itself, has crashed"; done
# With little memory, anything may fail first, from loading a driver to running a kernel; a driver may also wait
# forever.
for kibibytes in 100000 300000 340000 420000 460000 620000; do
  status=0
  (
    ulimit -v "$kibibytes"
    exec timeout 15 "$TMD" search exp --from 1 --to 0x1.00001p+0 --wc files/list.wc
  ) >out 2>err || status=$?
  case $status in
  0) rm -f files/list.wc ;;
  # beside the lines of libraries
  3) [[ $(grep -c '^tmd: [a-z]' err) -eq 1 ]] || fail "$kibibytes KiB: not one sentence" ;;
  124) ;;
  *) fail "$kibibytes KiB: status $status" ;;
  esac
  no_files
done
