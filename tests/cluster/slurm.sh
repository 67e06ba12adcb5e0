#!/usr/bin/env bash
# Slurm itself, one node of which this machine is all: the scripts of configs/cluster as they are shipped. Jobs that reach
# their time limit are put back into the queue and go on; the parts of an array merge to the bytes of one search; ranks are
# those of Open MPI and of MPICH.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/cluster/cluster.bash"
source "$TMD_TESTS/cli/mpi.bash"
tmd devices
grep -q "usable  *yes" out || skip "no usable device"
unpack slurmctld slurmd slurm-client munge libmpich-dev

# A cluster in this folder: its own key, ports and state; who runs the test is Slurm's user.
mkdir -m 700 munge
mkdir state spool jobs
head -c 128 /dev/urandom >munge/key
chmod 400 munge/key
plugins=$system$libraries/slurm-wlm
export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$plugins SLURM_CONF=$scratch/slurm.conf
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthInfo=socket=$scratch/munge/socket
PluginDir=$plugins
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$(hostname) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
daemons=()
end_cluster() {
  kill -KILL "${daemons[@]}" 2>/dev/null || true
  end_ranks
}
trap 'end_cluster; rm -rf "$scratch"' EXIT
munged --foreground --force --key-file="$scratch/munge/key" --socket="$scratch/munge/socket" --pid-file="$scratch/munge/pid" \
  --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed" >munge/out 2>&1 </dev/null &
daemons+=($!)
slurmctld-wlm -D -c >slurmctld.log 2>&1 </dev/null &
daemons+=($!)
slurmd-wlm -D -d "$system/usr/sbin/slurmstepd-wlm" >slurmd.log 2>&1 </dev/null &
daemons+=($!)
# until_true SECONDS SENTENCE COMMAND...
until_true() {
  local end=$((SECONDS + $1)) sentence=$2
  shift 2
  until "$@"; do
    [[ $SECONDS -lt $end ]] || {
      (cd "$scratch" && tail -n 20 slurmctld.log slurmd.log jobs/*.out jobs/said) >"$scratch/err" 2>/dev/null || true
      fail "$sentence"
    }
    sleep 0.05
  done
}
node_is_idle() { [[ $(sinfo --noheader --format %t 2>/dev/null) == idle ]]; }
until_true 30 "Slurm's node does not come up" node_is_idle

# Programs and files that users have in their PATH and their folder.
mkdir bin
ln -s "$TMD" bin/tmd
export PATH=$scratch/bin:$PATH
files=$(cd "$TMD_TESTS/../configs/cluster" && pwd)
search=(sin --format binary32 --bits 20)
succeeds search "${search[@]}" --quiet --reproducible --wc whole.wc
cases() { grep -v '^#' "$1"; }
# found_by SENTENCE: sin.wc must have the cases of whole.wc, in the same order.
found_by() {
  [[ -s sin.wc ]] || {
    cat ./*.out said >"$scratch/err"
    fail "$1: there is no sin.wc, but $(ls)"
  }
  cmp -s <(cases sin.wc) <(cases "$scratch/whole.wc") || fail "$1: another list"
}

# Prints Slurm's description of a job, all its tasks; the states that it has, a word each.
said_of() { scontrol show job "$1" >said 2>/dev/null; }
states_of() { said_of "$1" && grep -oE 'JobState=[A-Z]+' said | sort -u | sed 's/.*=//' | paste -sd ' '; }
has_ended() {
  local states
  states=$(states_of "$1")
  [[ -n $states && ! $states =~ RUNNING|PENDING|COMPLETING|CONFIGURING|REQUEUE ]]
}
# Whether it waits to be begun again. Before that, for an instant, Slurm says that it has ended.
is_queued_again() { scontrol --oneliner show job "$1" | grep -q 'JobState=PENDING .* Restarts=1 '; }
succeeded() { # JOB: after it has ended
  [[ $(states_of "$1") == COMPLETED ]] || {
    cat said ./*.out >"$scratch/err"
    fail "job $1 has failed"
  }
}

searches() { # prints the processes of the jobs that search; it must be quick, because they are
  local process name
  for process in /proc/[0-9]*; do
    read -r name 2>/dev/null <"$process/comm" || continue
    if [[ $name == tmd && $(readlink "$process/cwd") == "$scratch/jobs"* ]]; then echo "${process#/proc/}"; fi
  done 2>/dev/null
}
signal() { searches | xargs --no-run-if-empty kill "-$1" 2>/dev/null || true; }
# Whether all of them have been sent SIGTERM, which waits while they are stopped.
all_told() {
  local process pending
  for process in $(searches); do
    pending=$(sed -n 's/^ShdPnd:[[:space:]]*//p' "/proc/$process/status" 2>/dev/null) || continue
    (((16#$pending >> 14) & 1)) || return 1
  done
}

# to_its_limit JOURNAL SBATCH-ARGUMENT...: a job that may take one minute, and is told so as soon as Slurm looks, which it
# does twice a minute. So that no machine is too quick for that, searches are stopped, when they have begun, until they are
# told. Slurm must queue the job again, which then goes on and ends.
to_its_limit() {
  local journal=$1 attempt before job polls=0
  shift
  for ((attempt = 0; attempt < 10; ++attempt)); do
    rm -f ./*
    job=$(sbatch --parsable --time=1 --output=%A.out "$@") || fail "sbatch $*"
    until grep -qs '"type":"part"' "$journal" || { [[ $((++polls % 100)) -eq 0 ]] && has_ended "$job"; }; do sleep 0.01; done
    signal STOP
    if [[ -n $(searches) && -z $(find . -name '*.wc') ]]; then break; fi
    signal CONT
    until_true 180 "job $job does not end" ends_with_more_time "$job"
  done
  [[ $attempt -lt 10 ]] || fail "sbatch $*: it was always through"
  before=$(sed '$d' "$journal")
  until_true 120 "job $job is not told of its time limit" all_told
  signal CONT
  until_true 60 "job $job is not queued again" is_queued_again "$job"
  until_true 180 "job $job does not end" ends_with_more_time "$job"
  succeeded "$job"
  [[ $(head -c ${#before} "$journal") == "$before" ]] || fail "job $job has not gone on from its journal"
}
# Jobs that are begun again wait for two minutes: an operator may let them begin in ten seconds, and have ten minutes. At
# once would be too soon: where the step before is still being ended, srun says that it aborts the new one, and returns 0.
ends_with_more_time() {
  local waiting
  for waiting in $(scontrol --oneliner show job "$1" | grep 'JobState=PENDING .* Restarts=[1-9].* TimeLimit=00:01:00' |
    sed 's/^JobId=\([0-9]*\) .*/\1/'); do
    scontrol update "JobId=$waiting" TimeLimit=10 StartTime=now+10
  done
  has_ended "$1"
}

cd jobs
to_its_limit sin.wc.journal --ntasks-per-node=2 "$files/mpi.sbatch" "${search[@]}"
found_by "two ranks of Open MPI"
grep -q '"rank":1' sin.jsonl || fail "Open MPI: rank 1 has done nothing"
to_its_limit sin-1.wc.journal --array=1-3 --exclusive "$files/shards.sbatch" "${search[@]}" --reproducible
succeeds merge sin-[123].wc.journal --wc sin.wc
found_by "an array of three"

# MPICH's ranks find each other as mpi.sbatch says.
rm -f ./*
ln -sf "$(program_with_mpich)" "$scratch/bin/tmd"
sed 's/--mpi=pmix/--mpi=pmi2/' "$files/mpi.sbatch" >mpich.sbatch
job=$(sbatch --parsable --ntasks-per-node=2 mpich.sbatch "${search[@]}")
until_true 120 "job $job does not end" has_ended "$job"
succeeded "$job"
found_by "two ranks of MPICH"
grep -q '"rank":1' sin.jsonl || fail "MPICH: rank 1 has done nothing"
