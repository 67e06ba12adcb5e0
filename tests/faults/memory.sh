#!/usr/bin/env bash
# Address space in steps of 50 MB, from what does not suffice to load a driver to what suffices for a search whose kernels are
# compiled, for four steps at least (with TMD_TEST_ALL up to 2 GB): the right list, or none and a sentence; never a hang.
source "${TMD_TESTS:?the folder of the tests}/faults/faults.bash" || exit

search=(search exp --format binary32 --bits 18 --from 0x1p-10 --to 8 --quiet --wc list.wc --json records.jsonl)
most=2000 # MB

wrong() {
  echo "$*" >>"$top/wrong"
  { echo "$*" && sed 's/^/  /' err; } >&2
}

# try MB
try() {
  mkdir kernels # without programs that others have compiled
  status=0
  (
    ulimit -v $(($1 << 10))
    POCL_CACHE_DIR=$scratch/kernels exec timeout --kill-after=1 60 "$TMD" "${search[@]}" >out 2>err </dev/null
  ) || status=$?
  echo "status $status with $1 MB: $(head -n 1 err | cut -c 1-150)" >>"$top/judged"
  case $status in
    0) if ! grep -v '^#' list.wc | cmp -s - "$top/right"; then wrong "$1 MB: status 0, and not the right list"; fi ;;
    3)
      [[ $(grep -c '^tmd: ' err) -ge 1 ]] || wrong "$1 MB: status 3 without a sentence"
      if grep -q '^tmd: .*\(internal error\|std::\)' err; then wrong "$1 MB: raw text"; fi
      [[ ! -e list.wc && ! -e records.jsonl ]] || wrong "$1 MB: a list with status 3"
      ;;
    *) wrong "$1 MB: status $status" ;;
  esac
  [[ -z $(find . -name 'list.wc.??????' -o -name 'records.jsonl.??????') ]] || wrong "$1 MB: a temporary is left"
}

tmd devices
grep -q "usable  *yes" out || skip "no usable device"
succeeds "${search[@]}"
grep -v '^#' list.wc >right
[[ $(grep -c '' right) -eq 792 ]] || fail "not the cases without a limit"
for ((megabytes = 50; megabytes <= most; megabytes += 50)); do
  beside try "$megabytes"
  if ((megabytes % 200 == 0)); then
    all_ended
    if [[ -z ${TMD_TEST_ALL:-} && $(grep -c '^status 0 ' judged) -ge 4 ]]; then break; fi
  fi
done
all_ended
grep -q '^status 0 ' judged || fail "$most MB do not suffice"
grep -q '^status 3 ' judged || fail "50 MB suffice"
echo "$(grep -c '' judged) limits: $(grep -c '^status 0' judged) sufficed"
require_none_wrong
