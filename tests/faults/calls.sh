#!/usr/bin/env bash
# Calls of the system and of OpenCL that are refused, one of each kind at a time (system.cpp, device.cpp), or a disk that is
# full, in a search with a journal and two output files: a right list, or none and one sentence; never a hang; and then the
# search ends as it would have.
# usage: calls.sh [PATTERN [all]]   only calls whose name holds the pattern; all: each call, not some near both ends (with
# TMD_TEST_ALL twice as many)
source "${TMD_TESTS:?the folder of the tests}/faults/faults.bash" || exit

system=${TMD_FAULTY_SYSTEM:?the library that stands between the program and the C library}
device=${TMD_FAULTY_DEVICE:?the library that stands between the program and its device}
pattern=${1:-}
extent=${2:-some}
sparser=16 # how much further from an end the next call is than the one before
if [[ -n ${TMD_TEST_ALL:-} ]]; then sparser=4; fi

search=(search exp --format binary32 --bits 18 --from 0x1p-2 --to 8 --quiet --wc list.wc --json records.jsonl)
lists() { grep -hv '^#' list.wc && grep -h '"type":"\(case\|exact\|regime\)' records.jsonl; }

# refused LIBRARY KIND CALL AFTER COMMAND...: what it leaves is in $status, out, err and calls.
refused() {
  status=0
  timeout --kill-after=1 600 env TMD_FAULT="$2 $3 $4" TMD_FAULT_LOG="$scratch/calls" LD_PRELOAD="$1" \
    POCL_CACHE_DIR="$scratch/kernels" "$TMD" "${@:5}" >out 2>err </dev/null || status=$?
}

# places FIRST CALLS: prints the numbers of calls that come before a refused one.
places() {
  if [[ $extent == all ]]; then
    seq "$1" $(($2 - 1))
  else
    local step
    for ((step = 1; step <= $2 - $1; step *= sparser)); do printf '%d\n' $(($1 + step - 1)) $(($2 - step)); done | sort -nu
  fi
}

wrong() {
  echo "$*" >>"$top/wrong"
  { echo "$*" && sed 's/^/  /' err; } >&2
}

# try LIBRARY KIND CALL AFTER
try() {
  local what="$2 $3 $4"
  cp -r "$top/built" kernels
  refused "$@" "${search[@]}"
  echo "status $status $what: $(head -n 1 err | cut -c 1-150)" >>"$top/judged"
  case $status in
  0) lists | cmp -s - "$top/right" || wrong "$what: status 0, and not the right lists" ;;
  2 | 3 | 4)
    [[ $(grep -c '^tmd: ' err) -ge 1 ]] || wrong "$what: status $status without a sentence"
    if grep -q '^tmd: .*\(internal error\|std::\)' err; then wrong "$what: raw text"; fi
    ;;
  # while it is searched for, a driver aborts by handlers of its own
  134) [[ -s err ]] || wrong "$what: status 134 without a word" ;;
  *) wrong "$what: status $status" ;;
  esac
  if [[ -e list.wc ]]; then grep -v '^#' list.wc | cmp -s - "$top/right.wc" || wrong "$what: a wrong list"; fi
  [[ -z $(find . -name 'list.wc.??????' -o -name 'records.jsonl.??????') ]] || wrong "$what: a temporary is left"
  if [[ $status -ne 0 ]]; then
    rm -r kernels
    cp -r "$top/built" kernels
    refused "" none none 0 "${search[@]}"
    [[ $status -eq 0 ]] || wrong "$what: the search does not go on"
    lists | cmp -s - "$top/right" || wrong "$what: the search goes on to other lists"
  fi
}

# refuse LIBRARY KIND CALL
refuse() {
  [[ "$2 $3" == *"$pattern"* ]] || return 0
  local after count first=0
  if [[ $3 == new ]]; then # without the calls before main(), and those that print a line
    refused "$1" "$2" "$3" 1000000000 --version
    read -r first _ <calls
  fi
  refused "$1" "$2" "$3" 1000000000 "${search[@]}"
  rm -f list.wc* records.jsonl*
  read -r count _ <calls
  [[ $count -gt 0 ]] || fail "$3 is never called"
  for after in $(places "$first" "$count"); do beside try "$1" "$2" "$3" "$after"; done
}

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
mkdir kernels
refused "" none none 0 "${search[@]}"
[[ $status -eq 0 ]] || fail "status $status without a fault"
lists >right
grep -v '^#' list.wc >right.wc
[[ $(grep -c '' right) -ge 606 ]] || fail "not the cases without a fault"
rm list.wc* records.jsonl*
cp -r kernels built # for each search, because a refused call may leave a broken cache

refuse "$system" room write
for call in write fsync fdatasync ftruncate pread rename linkat open pthread_create new; do
  refuse "$system" once $call
done
for call in open new; do refuse "$system" ever $call; done
for call in clCreateContext clCreateCommandQueue clBuildProgram clCreateKernel clCreateBuffer clEnqueueNDRangeKernel \
  clEnqueueReadBuffer clEnqueueWriteBuffer; do
  refuse "$device" refuse $call
done
all_ended
echo "$(grep -c '' judged) calls refused: $(grep -c '^status 0' judged) without harm"
require_none_wrong
