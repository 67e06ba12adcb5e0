#!/usr/bin/env bash
# tmd search --mpi of pow and of ranges: ranks find what one process finds, also if one has no device, other kernels or is killed.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/cli/mpi.bash"
tmd devices
grep -q "usable  *yes" out || skip "no usable device"
refuses 2 "--mpi is not for functions of two variables, such as atan2" search atan2 --format bfloat16 --mpi

# Some hundred units, and the list and records of one process.
pow=(search pow --format bfloat16 --bits 12 --shard 1/32 --reproducible)
files=(--wc files/pow.wc --json files/pow.jsonl)
succeeds "${pow[@]}" --quiet --device 0 --no-journal --wc whole.wc --json whole.jsonl
[[ $(wc -l <whole.wc) -gt 100 ]] || fail "hardly any cases"
same_files() {
  cmp -s files/pow.wc whole.wc || fail "$1: not the list"
  cmp -s files/pow.jsonl whole.jsonl || fail "$1: not the records"
  rm -f files/*
}

# Each rank has a device of its own, if PoCL offers two; else they share one.
two_devices || true
for count in 1 2 3; do
  ranks 0 -n "$count" "$TMD" "${pow[@]}" "${devices[@]}" --mpi "${files[@]}"
  [[ $(grep -o ' of rank [0-9]*' out | sort -u | wc -l) -eq $((count - 1)) ]] || fail "$count ranks: not all of them"
  [[ $(grep -c ' cases in ' out) -eq 1 ]] || fail "$count ranks: more than one of them speaks"
  if [[ $count -eq 2 && ${devices[1]} == all ]]; then
    for device in 0 1; do
      grep -q "\"type\":\"part\".*\"device\":$device," files/pow.wc.journal || fail "device $device has done nothing"
    done
  fi
  same_files "$count ranks"
done

# One rank has other kernels, and one no device.
cp -r "$TMD_TESTS/../cl_kernels" kernels
echo "// other" >>kernels/boxes/walk.cl
ranks 3 -n 1 "$TMD" "${pow[@]}" --mpi : -n 1 env TMD_KERNEL_PATH="$scratch/kernels" "$TMD" "${pow[@]}" --mpi
[[ $(grep -c '^tmd: .*kernels' err) -eq 1 ]] || fail "other kernels: not one sentence"
ranks 0 -n 1 "$TMD" "${pow[@]}" --mpi "${files[@]}" : -n 1 env OCL_ICD_VENDORS="$scratch/none" "$TMD" "${pow[@]}" --mpi
grep -q '^tmd: warning: rank 1 (.*) has no device: ' err || fail "no device: no warning"
same_files "a rank without a device"
ranks 0 -n 1 env OCL_ICD_VENDORS="$scratch/none" "$TMD" "${pow[@]}" --mpi "${files[@]}" : -n 1 "$TMD" "${pow[@]}" --mpi
grep -q '^tmd: warning: rank 0 (.*) has no device: ' err || fail "no device on rank 0: no warning"
same_files "rank 0 without a device"
ranks 3 -n 2 env OCL_ICD_VENDORS="$scratch/none" "$TMD" "${pow[@]}" --mpi
[[ $(grep -c '^tmd: .*no OpenCL device' err) -eq 1 && ! -s out ]] || fail "no device at all: not one sentence"

# A rank is killed with work in hand, which ends all of them. The journal has what was done, for ranks and for one
# process. The search is twice as long, so that this comes in time.
pow=(search pow --format bfloat16 --bits 12 --shard 1/16 --reproducible)
succeeds "${pow[@]}" --quiet --device 0 --no-journal --wc whole.wc --json whole.jsonl
for going_on in "" "--mpi"; do
  rm -f pid files/*
  # shellcheck disable=SC2016  # that shell's
  bounded mpirun -n 1 "$TMD" "${pow[@]}" "${devices[@]}" --mpi "${files[@]}" : \
    -n 1 bash -c 'echo $$ >pid; exec "$@"' shell "$TMD" "${pow[@]}" "${devices[@]}" --mpi >out 2>err </dev/null &
  mpirun=$!
  until [[ $(grep -c '"type":"part"' files/pow.wc.journal 2>/dev/null) -gt 2 ]] || ! kill -0 "$mpirun" 2>/dev/null; do sleep 0.005; done
  kill -KILL "$(cat pid)" 2>/dev/null || true
  status=0
  wait "$mpirun" || status=$?
  [[ $status -ne 0 && ! -e files/pow.wc ]] || fail "a killed rank: the search went on"
  tmd status files/pow.wc.journal
  grep -qE '^  state +interrupted$' out || fail "a killed rank: the journal is not that of an interrupted search"
  if [[ $going_on == --mpi ]]; then
    ranks 0 -n 2 "$TMD" resume files/pow.wc.journal --quiet --mpi
  else
    succeeds resume files/pow.wc.journal --quiet --device 0
  fi
  same_files "a killed rank, resumed with $going_on"
done

# After a signal to the launcher, what was done is kept, too. If it comes too late, that is tried again.
for ((attempt = 0; attempt < 5; ++attempt)); do
  rm -f files/*
  timeout --kill-after=5 120 mpirun -n 2 "$TMD" "${pow[@]}" "${devices[@]}" --mpi "${files[@]}" >out 2>err </dev/null &
  mpirun=$!
  until [[ $(grep -c '"type":"part"' files/pow.wc.journal 2>/dev/null) -gt 2 ]] || ! kill -0 "$mpirun" 2>/dev/null; do sleep 0.005; done
  kill -TERM "$mpirun" 2>/dev/null || true
  wait "$mpirun" || true
  if [[ ! -e files/pow.wc ]]; then break; fi
done
for ((i = 0; i < 100; ++i)); do # mpirun may end before its ranks
  tmd status files/pow.wc.journal
  if grep -qE '^  state +interrupted$' out; then break; fi
  sleep 0.1
done
[[ ! -e files/pow.wc ]] || fail "SIGTERM: there is a list"
succeeds resume files/pow.wc.journal --quiet --device 0
same_files "resumed after a signal"

# Ranges of an expression are shared out as pow's pairs are.
pow=(search 'exp(x)*y' --format p17 --bits 26 --x-range 1:1.25 --y-range -2:-1 --reproducible)
succeeds "${pow[@]}" --quiet --device 0 --no-journal --wc whole.wc --json whole.jsonl
ranks 0 -n 2 "$TMD" "${pow[@]}" "${devices[@]}" --mpi "${files[@]}"
[[ $(grep -o ' of rank [0-9]*' out | sort -u | wc -l) -eq 1 ]] || fail "ranges: not both ranks"
same_files "ranges"
