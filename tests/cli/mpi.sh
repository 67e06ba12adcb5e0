#!/usr/bin/env bash
# --mpi: ranks find what one process finds, also if one is slow, has no device or is killed. There are more ranks than
# cores.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/cli/mpi.bash"
tmd devices
grep -q "usable  *yes" out || skip "no usable device"

# Some hundred parts, regimes among them, and the list and records of one process.
long=(search exp --format binary32 --bits 20 --reproducible)
files=(--wc files/list.wc --json files/log.jsonl)
mkdir whole
succeeds "${long[@]}" --quiet --wc whole/list.wc --json whole/log.jsonl
same_files() {
  cmp -s <(sed 's/ with: .*//; /^# Request: /d' files/list.wc) <(sed 's/ with: .*//; /^# Request: /d' whole/list.wc) || fail "$1: not the list"
  cmp -s <(sed '1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//' files/log.jsonl) <(sed '1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//' whole/log.jsonl) || fail "$1: not the records"
  rm -f files/*
}

one_rank "${long[@]}" --quiet "${files[@]}"
[[ ! -s err ]] || fail "one rank, without mpirun: something on stderr"
same_files "one rank, without mpirun"
for count in ${TMD_TEST_ALL:+2} 3 ${TMD_TEST_ALL:+4}; do
  ranks 0 -n "$count" "$TMD" "${long[@]}" --mpi "${files[@]}"
  [[ $(grep -c '^on device [0-9]* of .* (rank [0-9]*): ' out) -eq $count ]] || fail "$count ranks: not a line for each"
  for ((rank = 0; rank < count; ++rank)); do
    grep -qE "^  device [0-9]+ of .* \(rank $rank\) +[0-9]+ arguments " out || fail "$count ranks: not what rank $rank did"
  done
  [[ $(grep -c ' hard-to-round cases, ' out) -eq 1 ]] || fail "$count ranks: more than one of them speaks"
  grep -qE "^ranks $(seq -s ', ' 0 $((count - 1))) share device [0-9]+ of " out || fail "$count ranks: not that they share a device"
  same_files "$count ranks"
done

# Ranks that do not find each other, as under another MPI's launcher, do not search each by itself. The nearest launcher
# counts.
for started in OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_STEP_NUM_TASKS; do
  export "$started=4"
  refuses 2 "4 ranks were started ($started=4), but " "${small[@]}" --mpi
  ranks 0 -n 1 "$TMD" "${small[@]}" --mpi
  unset "$started"
done

# A scaling reduces whole functions to some binades.
for function in exp2 recip rootn:3 ${TMD_TEST_ALL:+log2 pown:3}; do
  succeeds search "$function" --format binary16 --bits 8 --quiet --wc scaled.wc
  ranks 0 -n 2 "$TMD" search "$function" --format binary16 --bits 8 --quiet --mpi --wc files/scaled.wc
  cmp -s <(grep -v '^#' files/scaled.wc) <(grep -v '^#' scaled.wc) || fail "two ranks, whole $function: not the list"
  rm -f files/* scaled.wc*
done

# A mistake is reported once, with its status.
for refused in "--from 1 --to 1:2:the range is empty" "--device nothing:3:no device fits 'nothing'"; do
  IFS=: read -r options expected sentence <<<"$refused"
  # shellcheck disable=SC2086  # words
  ranks "$expected" -n 2 "$TMD" search exp --mpi $options
  [[ $(grep -c "^tmd: .*$sentence" err) -eq 1 ]] || fail "$options: not one sentence"
  [[ ! -s out ]] || fail "$options: something on stdout"
done

# One rank has other kernels, and one no device.
cp -r "$TMD_TESTS/../cl_kernels" kernels
echo "// other" >>kernels/wide/groups.cl
ranks 3 -n 1 "$TMD" "${small[@]}" --mpi : -n 1 env TMD_KERNEL_PATH="$scratch/kernels" "$TMD" "${small[@]}" --mpi
[[ $(grep -c '^tmd: .*kernels' err) -eq 1 ]] || fail "other kernels: not one sentence"
[[ ! -s out ]] || fail "other kernels: something on stdout"
ranks 0 -n 1 "$TMD" "${long[@]}" --mpi "${files[@]}" : -n 1 env OCL_ICD_VENDORS="$scratch/none" "$TMD" "${long[@]}" --mpi
grep -q '^tmd: warning: rank 1 (.*) has no device: ' err || fail "no device: no warning"
same_files "a rank without a device"
ranks 0 -n 1 env OCL_ICD_VENDORS="$scratch/none" "$TMD" "${long[@]}" --mpi "${files[@]}" : -n 1 "$TMD" "${long[@]}" --mpi
grep -q '^tmd: warning: rank 0 (.*) has no device: ' err || fail "no device on rank 0: no warning"
same_files "rank 0 without a device"

# The last rank's number is kept in `pid`.
# shellcheck disable=SC2016  # that shell's
last_of() { last=("$@" : -n 1 bash -c 'echo $$ >pid; exec "$@"' shell); }

# One rank is slow: most of the time it is stopped.
last_of -n 1 "$TMD" "${long[@]}" --mpi "${files[@]}"
rm -f pid
ranks 0 "${last[@]}" "$TMD" "${long[@]}" --mpi &
mpirun=$!
while is_running "$mpirun"; do
  if [[ -s pid ]]; then
    kill -STOP "$(cat pid)" 2>/dev/null || true
    sleep 0.05
    kill -CONT "$(cat pid)" 2>/dev/null || true
  fi
  sleep 0.005
done
wait "$mpirun" || fail "a slow rank"
same_files "a slow rank"

# One is killed with work in hand: that ends all of them, and the journal makes it harmless, alone or over MPI. killed
# RECORD COMMAND...: with more than 20 such records in the journal, in a search the files of which are in whole/.
killed() {
  local record=$1 going_on attempt mpirun
  shift
  for going_on in "" "--mpi"; do
    for ((attempt = 0; attempt < 10; ++attempt)); do
      rm -f pid files/*
      last_of -n 1 "$TMD" "$@" --mpi "${files[@]}"
      bounded mpirun "${last[@]}" "$TMD" "$@" --mpi >out 2>err </dev/null &
      mpirun=$!
      until [[ $(grep -c "\"type\":\"$record\"" files/list.wc.journal 2>/dev/null) -gt 20 ]] || ! is_running "$mpirun"; do sleep 0.005; done
      kill -KILL "$(cat pid)" 2>/dev/null || true
      status=0
      wait "$mpirun" || status=$?
      if [[ $status -ne 0 ]]; then break; fi
    done
    [[ $status -ne 0 ]] || fail "a killed rank: it was always through"
    [[ ! -e files/list.wc ]] || fail "a killed rank: there is a list"
    if [[ $going_on == --mpi ]]; then
      one_rank resume files/list.wc.journal --quiet
    else
      succeeds resume files/list.wc.journal --quiet
    fi
    same_files "a killed rank, gone on with $going_on"
  done
}
killed part "${long[@]}"
# The search is killed in the middle of a phase walk, a binade of which counts only as a whole.
walk=(search sin --format binary32 --from 2^30 --to 2^42 --bits 20 --reproducible --algorithm phase)
succeeds "${walk[@]}" --quiet --wc whole/list.wc --json whole/log.jsonl
killed claimed "${walk[@]}"

# The searches of a job file are made one after the other.
cat >jobs.toml <<'EOF'
[defaults]
format = "binary32"
bits = 20
[[search]]
name = "near-1"
function = "exp"
from = 1
to = 2
[[search]]
name = "wrong"
function = "log"
from = 1
to = 4
device = "nothing"
[[search]]
name = "sine"
function = "sin"
from = 1
to = 2
EOF
ranks 3 -n 2 "$TMD" run jobs.toml --into many --mpi
tmd run jobs.toml --into one
for name in near-1 sine; do
  grep -q "^$name: [0-9]* hard-to-round cases, " out || fail "run: no line for $name"
  cmp -s <(grep -v '^#' many/$name.wc) <(grep -v '^#' one/$name.wc) || fail "run: another list of $name"
  grep -q '"rank":1' many/$name.jsonl || fail "run: rank 1 has done nothing of $name"
done
