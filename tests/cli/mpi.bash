# Functions that the tests of --mpi share: they leave no ranks behind.
# shellcheck disable=SC2154  # common.bash has them

# For Open MPI: as root, with more ranks than cores, none of them bound to one, and in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none

# Ends everything that works in the test's folder, whatever its state.
end_ranks() {
  local process
  for process in /proc/[0-9]*; do
    if [[ ${process#/proc/} != "$$" && $(readlink "$process/cwd") == "$scratch"* ]]; then
      kill -KILL "${process#/proc/}" || true
    fi
  done 2>/dev/null
}
trap 'end_ranks; rm -rf "$scratch"' EXIT

# bounded COMMAND...: runs it for two minutes at most.
bounded() { timeout --kill-after=5 120 "$@"; }

# ranks STATUS ARGUMENT...: runs mpirun with the arguments; leaves its output in `out` and `err`.
ranks() {
  local expected=$1
  shift
  status=0
  bounded mpirun "$@" >out 2>err </dev/null || status=$?
  [[ $status -eq $expected ]] || fail "mpirun $*: status $status, not $expected"
}

# one_rank ARGUMENT...: runs tmd with the arguments and --mpi; one rank needs no mpirun.
one_rank() {
  status=0
  bounded "$TMD" "$@" --mpi >out 2>err </dev/null || status=$?
  [[ $status -eq 0 ]] || fail "tmd $* --mpi: status $status, not 0"
}

bounded "$TMD" "${small[@]}" --mpi >out 2>err </dev/null || true
if grep -q "this tmd is without MPI" err; then skip "built without MPI"; fi
command -v mpirun >/dev/null || skip "no mpirun"
