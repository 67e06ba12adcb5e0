#!/usr/bin/env bash
# The scripts of configs/cluster: GNU parallel's with a machine that is another home folder here, reached by a script in
# ssh's place and sets what sshd sets; Slurm's without Slurm, whose srun and scontrol are scripts, too.
# shellcheck disable=SC2016  # $ is for those scripts
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

files=$(cd "$TMD_TESTS/../configs/cluster" && pwd)
tmd devices
grep -q "usable  *yes" out || skip "no usable device"

mkdir bin
ln -s "$TMD" bin/tmd
export PATH=$scratch/bin:$PATH
script() { # NAME TEXT
  printf '#!/bin/bash\n%s\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}
cases() { grep -v '^#' "$1"; }
# same_as FILE ARGUMENT...: the list must be that of a search with these arguments.
same_as() {
  [[ -s $1 ]] || fail "there is no $1, but $(ls)"
  succeeds search "${@:2}" --quiet --wc whole.wc
  cmp -s <(cases "$1" | sort) <(cases whole.wc | sort) || fail "$1: not the list"
}
bounds=(--from 1 --to 0x1.00001p+0 --bits 24)
slash="1/(1+exp(-x))"

# Slurm's scripts ask for nothing that a cluster without GPUs refuses; an expression gets a name that is no path.
if grep -hE '^#SBATCH +--gpus' "$files"/*.sbatch; then fail "a job asks for GPUs"; fi
script scontrol 'echo "$*" >>requeued'
script srun 'while [[ $1 == --* ]]; do shift; done; args=("$@"); exec "${args[@]/--mpi/--reproducible}"'
for i in 1 2; do
  SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=2 SLURM_JOB_ID=7 "$files/shards.sbatch" "$slash" "${bounds[@]}" >out 2>err ||
    fail "shards.sbatch, $i of 2"
done
succeeds merge 1-1-exp-x-*.wc.journal --wc merged.wc
same_as merged.wc "$slash" "${bounds[@]}"
SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=1 TMD_PARTS=2 "$files/shards.sbatch" "$slash" "${bounds[@]}" >out 2>err ||
  fail "shards.sbatch, a task begun again by itself"
succeeds merge 1-1-exp-x-*.wc.journal --wc merged.wc
same_as merged.wc "$slash" "${bounds[@]}"
SLURM_JOB_ID=7 "$files/mpi.sbatch" "$slash" "${bounds[@]}" >out 2>err || fail "mpi.sbatch"
same_as 1-1-exp-x.wc "$slash" "${bounds[@]}"
[[ ! -e requeued ]] || fail "a job that was done has been requeued"

# At the time limit, which mpi.sbatch reports to the ranks and shards.sbatch to the script, the job is put back into the
# queue and continues from there. A cancelled job, of which Slurm tells all processes, is not.
long=(exp --format binary32 --bits 20)
# shellcheck disable=SC2086  # one child, or none
stopped() { # SCRIPT LIST limit|cancel
  local attempt child
  for ((attempt = 0; attempt < 10; ++attempt)); do
    rm -f requeued "$2" "$2.journal"
    begins "$files/$1" "${long[@]}"
    until grep -qs '"type":"part"' "$2.journal" || ! is_running "$pid"; do sleep 0.005; done
    child=$(children_of "$pid")
    case $1-$3 in
      *-cancel) kill -TERM "$pid" $child ;;
      mpi.sbatch-limit) kill -TERM $child ;;
      shards.sbatch-limit) kill -USR1 "$pid" ;;
    esac 2>/dev/null || true
    wait "$pid" || true
    while [[ -n $child ]] && is_running "$child"; do sleep 0.005; done
    if [[ ! -e $2 ]]; then return; fi
  done
  fail "$1: it was always through"
}
export SLURM_JOB_ID=7 SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=1
for job in "mpi.sbatch exp.wc" "shards.sbatch exp-1.wc"; do
  read -r name list <<<"$job"
  stopped "$name" "$list" cancel
  [[ ! -e requeued ]] || fail "$name: requeued when it was cancelled"
  stopped "$name" "$list" limit
  [[ $(cat requeued) == "requeue 7" ]] || fail "$name: not requeued at its time limit"
  "$files/$name" "${long[@]}" >out 2>err || fail "$name: it does not go on"
  same_as "$list" "${long[@]}"
done

# The script for GNU parallel.
command -v parallel >/dev/null && command -v rsync >/dev/null || skip "no GNU parallel or no rsync"
mkdir there here "here/a folder"
mkdir -p .parallel there/.parallel && touch .parallel/will-cite
script machine 'while [[ $1 == -* ]]; do [[ $1 != -l ]] || shift; shift; done
[[ $1 != -- ]] || shift
shift # the host
[[ $1 != -- ]] || shift
cd "$REMOTE_HOME" && HOME=$REMOTE_HOME SHELL=/bin/bash exec bash -c "$*"'
export HOME=$scratch REMOTE_HOME=$scratch/there
echo "1/$scratch/bin/machine there" >here/machines
cd "here/a folder"
in_parts() { # NAME FUNCTION ARGUMENT...
  "$files/parallel.sh" ../machines 3 "${@:2}" >"$scratch/out" 2>"$scratch/err" || fail "parallel.sh ${*:2}: status $?"
  same_as "$1.wc" "${@:2}"
}
in_parts exp exp "${bounds[@]}"
in_parts exp exp --from 1 --to 0x1.00002p+0 --bits 24
in_parts exp exp "${bounds[@]}"
in_parts 1-1-exp-x "$slash" "${bounds[@]}"
[[ -z $(find "$REMOTE_HOME" -type f -not -path '*/.*') ]] || fail "files are left on a machine: $(find "$REMOTE_HOME" -type f)"
