# Functions that the scripts of this folder share. TMD is the program, TMD_TESTS the folder of the tests' sources.
set -euo pipefail

: "${TMD:?the program to be tested}"
# shellcheck disable=SC2034  # used by some scripts
TMD_PROGRAM=$TMD
# shellcheck disable=SC2034
TMD_LAB=$(dirname "$TMD")/tmd-lab # tests of the laboratory set it to TMD
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir files # folders where searches write; `no_files` looks there

# A search of some milliseconds with four cases.
# shellcheck disable=SC2034  # used by some scripts
small=(search exp --from 1 --to 0x1.00000001p+0 --bits 20)

fail() {
  for stream in out err; do
    if [[ -s $scratch/$stream ]]; then sed "s/^/  $stream: /" "$scratch/$stream" >&2; fi
  done
  echo "FAILED: $1" >&2 # last, where it is looked for
  exit 1
}

skip() {
  echo "skipped: $1"
  exit 77
}

# tmd ARGUMENT...: runs the program; leaves stdout in `out`, stderr in `err`, the exit status in $status.
tmd() {
  status=0
  "$TMD" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  if [[ $status -le 1 ]]; then check_records "$@"; fi
}

# check_records ARGUMENT...: files that --json names must be as doc/records.json says. Python is looked for once: what a PATH
# calls python3 may be a script that looks for it, too.
check_records() {
  local argument file previous=""
  for argument; do
    file=""
    if [[ $previous == --json ]]; then file=$argument; fi
    if [[ $argument == --json=* ]]; then file=${argument#--json=}; fi
    previous=$argument
    if [[ -f $file ]]; then
      if [[ -z ${records_python:-} ]]; then
        records_python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || records_python=true
      fi
      "$records_python" -I "$TMD_TESTS/records.py" "$file" || fail "tmd $*: its records are not those of doc/records.json"
    fi
  done
}

# succeeds ARGUMENT...
succeeds() {
  tmd "$@"
  [[ $status -eq 0 ]] || fail "tmd $*: status $status, not 0"
}

# refuses STATUS TEXT ARGUMENT...: expects that exit status, nothing on stdout, and on stderr one sentence that contains
# TEXT.
refuses() {
  local expected=$1 text=$2
  shift 2
  tmd "$@"
  [[ $status -eq $expected ]] || fail "tmd $*: status $status, not $expected"
  [[ ! -s out ]] || fail "tmd $*: something on stdout"
  [[ $(grep -c '^tmd: ' err) -eq 1 ]] || fail "tmd $*: not one sentence on stderr"
  grep -qF -- "$text" err || fail "tmd $*: not the expected sentence, with '$text'"
  [[ $expected -ne 2 || $(wc -l <err) -eq 2 ]] || fail "tmd $*: more than the sentence and the hint on stderr"
  if grep -qiE 'exception|std::|cxxopts|internal error|‘|’' err; then fail "tmd $*: raw text on stderr"; fi
}

# two_devices: PoCL offers the same CPU as often as it is asked to. Sets POCL_DEVICES, and `devices` to options for two; for
# device 0 alone, and fails, where it does not.
# shellcheck disable=SC2034 # scripts use devices
two_devices() {
  local driver found
  for driver in pthread cpu; do
    found=$(POCL_DEVICES="$driver $driver" "$TMD" devices 2>/dev/null | grep -c "usable  *yes") || true
    if [[ $found -ge 2 ]]; then
      export POCL_DEVICES="$driver $driver"
      devices=(--device all)
      return
    fi
  done
  devices=(--device 0)
  return 1
}

# has_python MODULE: succeeds if there is a Python with the packages that a module of python/ uses.
has_python() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -B "$TMD_TESTS/../python" --check "$1" 2>/dev/null; then return; fi
  done
  return 1
}

top=$scratch # the script's folder; commands beside it have another $scratch
begun=0

# beside COMMAND...: runs it in a process of its own, as many at a time as there are processors, and in an empty folder,
# which stays if the command fails.
beside() {
  while [[ $(jobs -rp | wc -l) -ge $(nproc) ]]; do wait -n || true; done
  begun=$((begun + 1))
  in_folder "$top/beside-$begun" "$@" &
}

in_folder() { # FOLDER COMMAND...
  scratch=$1
  mkdir "$scratch"
  cd "$scratch"
  "${@:2}"
  rm -rf "$scratch"
}

# all_ended: waits for all commands that run beside the script.
all_ended() {
  wait
  [[ -z $(find "$top" -maxdepth 1 -name 'beside-*') ]] || fail "not all has run to its end"
}

# children_of PID: prints its child processes, a number a line.
children_of() { sed -nE "s/^([0-9]+) .*\) [A-Z] $1 .*/\1/p" /proc/[0-9]*/stat 2>/dev/null || true; }

# is_running PID: fails for a process that has ended without a parent to wait for it, though it stays where no init
# does.
is_running() { grep -qsE '^State:[[:space:]]+[^ZX[:space:]]' "/proc/$1/status"; }

# begins COMMAND...: runs it in the background, as $pid, with new files `out` and `err`. Without job control a
# background process ignores SIGINT and SIGQUIT; `env` restores them.
begins() {
  rm -f out err
  env --default-signal=INT,QUIT,TERM,HUP "$@" >out 2>err </dev/null &
  pid=$!
}

# awaits FILE PATTERN [COUNT]: waits until so many lines of the file (default: 1) match the pattern, for two minutes at
# most, while $pid runs.
awaits() {
  local waited
  for ((waited = 0; waited < 1200; ++waited)); do
    if [[ $(grep -cs -- "$2" "$1") -ge ${3:-1} ]]; then return; fi
    is_running "$pid" || fail "it has ended without '$2' in $1"
    sleep 0.1
  done
  fail "no '$2' in $1"
}

# There must be no output and no temporary file; journals are removed.
no_files() {
  rm -f files/*.journal files/*.journal.unsound
  [[ -z $(ls -A files) ]] || fail "files were left behind: $(ls -A files)"
}
