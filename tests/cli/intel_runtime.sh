#!/usr/bin/env bash
# app/intel-runtime without a network: what it refuses and repairs, and that failures leave nothing behind.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

script=$TMD_TESTS/../app/intel-runtime
[[ -x $script ]] || skip "no app/intel-runtime"
export XDG_DATA_HOME=$scratch/data PIP_INDEX_URL=http://127.0.0.1:9/simple PIP_CONFIG_FILE=/dev/null
unset OCL_ICD_VENDORS PIP_EXTRA_INDEX_URL PIP_FIND_LINKS
target=$XDG_DATA_HOME/tmd/intel-runtime

# runtime STATUS ARGUMENT...: runs the script, which must end with that status.
runtime() {
  local expected=$1
  shift
  status=0
  "$script" "$@" >out 2>err </dev/null || status=$?
  [[ $status -eq $expected ]] || fail "intel-runtime $*: status $status, not $expected"
}

# cannot TEXT: an installation must fail with one sentence, and leave nothing.
cannot() {
  runtime 3 --user
  [[ ! -s out && $(tail -n 1 err) == "intel-runtime: "*"$1"* ]] || fail "not the expected sentence, with '$1'"
  [[ $(grep -vc 'getting version' err) -eq 1 ]] || fail "more than one sentence"
  [[ ! -e $target && ! -e $target.partial ]] || fail "something was left"
}

runtime 2 bogus
grep -q '^usage: ' err || fail "no usage"
runtime 1 status
grep -qx "not installed" out || fail "something is installed"
runtime 0 remove
[[ ! -e data ]] || fail "remove or status made a folder"

# Systems on which it cannot work.
mkdir fake
fake() { # NAME OUTPUT STATUS
  printf '#!/bin/sh\n%s\nexit %s\n' "$2" "$3" >"fake/$1"
  chmod +x "fake/$1"
}
path=$PATH
export PATH=$scratch/fake:$PATH
fake uname "echo aarch64" 0
cannot "is for Linux on x86-64 only"
rm fake/uname
if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  fake python3 "" 1
  fake dpkg-query "" 1
  fake id "echo 1000" 0
  fake sudo "" 1
  cannot "run as root: apt-get install python3-venv"
fi
export PATH=$path
if python3 -c 'import ensurepip, venv' 2>/dev/null; then
  cannot "pip cannot get the runtime from PyPI: ERROR: "
fi

# An aborted installation is noticed, and can be removed.
mkdir -p "$target/lib" "$target.partial"
touch "$target/lib/libintelocl.so"
runtime 1 status
grep -q "^half installed" out || fail "a half is taken for a whole"
runtime 0 remove
[[ ! -e $XDG_DATA_HOME/tmd ]] || fail "remove leaves something"

# A complete one, here without its library, is not downloaded again. The loader's folder has the other drivers too.
eval "$(sed -n '/^version=/p; /^requirements="/,/"$/p' "$script")"
mkdir -p "$target/lib"
# shellcheck disable=SC2154  # evaluated above
echo "$requirements" >"$target/complete"
tmd devices
cp out before
for _ in 1 2; do
  runtime 0 --user
  [[ $(<out) == "export OCL_ICD_VENDORS=$target/icd" ]] || fail "not the line that makes the loader find it"
  [[ $(<"$target/icd/tmd-intel-cpu.icd") == "$target/lib/libintelocl.so" ]] || fail "no driver in the folder"
done
runtime 0 status
# shellcheck disable=SC2154  # evaluated above
grep -q "^version $version in $target, " out || fail "status does not say the version"
grep -qx "export OCL_ICD_VENDORS=$target/icd" out || fail "status does not say how it is found"
if [[ ! -e /etc/OpenCL/vendors/tmd-intel-cpu.icd ]]; then
  OCL_ICD_VENDORS=$target/icd tmd devices
  cmp -s out before || fail "the loader finds other devices in the folder than the system's"
fi
runtime 0 remove
[[ ! -e $XDG_DATA_HOME/tmd ]] || fail "remove leaves something"
