# What the scripts of this folder share. TMD is the program, TMD_TESTS the folder of the tests' sources.
set -euo pipefail

: "${TMD:?the program to be tested}"
# shellcheck disable=SC2034  # used by some scripts
TMD_PROGRAM=$TMD
# shellcheck disable=SC2034
TMD_LAB=$(dirname "$TMD")/tmd-lab # a test of the laboratory makes it TMD
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir files # where searches write: `no_files` looks there

# A search of some milliseconds with four cases.
# shellcheck disable=SC2034  # used by some scripts
small=(search exp --from 1 --to 0x1.00000001p+0 --bits 20)

fail() {
  echo "FAILED: $1" >&2
  for stream in out err; do
    if [[ -s $scratch/$stream ]]; then sed "s/^/  $stream: /" "$scratch/$stream" >&2; fi
  done
  exit 1
}

skip() {
  echo "skipped: $1"
  exit 77
}

# tmd ARGUMENT...: runs it; leaves stdout in `out`, stderr in `err`, the exit status in $status.
tmd() {
  status=0
  "$TMD" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
  if [[ $status -le 1 ]]; then check_records "$@"; fi
}

# check_records ARGUMENT...: what --json names among them is as doc/records.json says.
check_records() {
  local argument file previous=""
  for argument; do
    file=""
    if [[ $previous == --json ]]; then file=$argument; fi
    if [[ $argument == --json=* ]]; then file=${argument#--json=}; fi
    previous=$argument
    if [[ -f $file ]] && python3 -c '' 2>/dev/null; then
      "$TMD_TESTS/records.py" "$file" || fail "tmd $*: its records are not those of doc/records.json"
    fi
  done
}

# succeeds ARGUMENT...
succeeds() {
  tmd "$@"
  [[ $status -eq 0 ]] || fail "tmd $*: status $status, not 0"
}

# refuses STATUS TEXT ARGUMENT...: that exit status, nothing on stdout, and on stderr one sentence that contains TEXT.
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

# has_python MODULE: whether there is a Python with what a module of python/ uses.
has_python() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -B "$TMD_TESTS/../python" --check "$1" 2>/dev/null; then return; fi
  done
  return 1
}

top=$scratch # of the script; what runs beside it has another $scratch
begun=0

# beside COMMAND...: in a process of its own, of which there are as many at a time as processors, and in an empty folder,
# which stays where the command fails.
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

# all_ended: waits for all that runs beside the script.
all_ended() {
  wait
  [[ -z $(find "$top" -maxdepth 1 -name 'beside-*') ]] || fail "not all has run to its end"
}

# children_of PID: its child processes, a number a line.
children_of() { sed -nE "s/^([0-9]+) .*\) [A-Z] $1 .*/\1/p" /proc/[0-9]*/stat 2>/dev/null || true; }

# is_running PID: a process that has ended and has no parent to ask for it is not, though it stays where no init takes it.
is_running() { grep -qsE '^State:[[:space:]]+[^ZX[:space:]]' "/proc/$1/status"; }

# begins COMMAND...: in the background, as $pid; `out` and `err` are its own from the start, empty ones. Without job
# control a background process ignores SIGINT and SIGQUIT; `env` gives them back.
begins() {
  rm -f out err
  env --default-signal=INT,QUIT,TERM,HUP "$@" >out 2>err </dev/null &
  pid=$!
}

# awaits FILE PATTERN [COUNT]: until so many lines of it, or one, have the pattern; for two minutes at most, while $pid
# runs.
awaits() {
  local waited
  for ((waited = 0; waited < 1200; ++waited)); do
    if [[ $(grep -cs -- "$2" "$1") -ge ${3:-1} ]]; then return; fi
    is_running "$pid" || fail "it has ended without '$2' in $1"
    sleep 0.1
  done
  fail "no '$2' in $1"
}

# No output and no temporary; journals are forgotten.
no_files() {
  rm -f files/*.journal files/*.journal.unsound
  [[ -z $(ls -A files) ]] || fail "files were left behind: $(ls -A files)"
}
