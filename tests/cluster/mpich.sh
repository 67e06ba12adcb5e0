#!/usr/bin/env bash
# --mpi with MPICH: runs everything in cli/mpi.sh with MPICH instead of the MPI that tmd is built with.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/cluster/cluster.bash"
unpack mpich libmpich-dev
# MPICH looks for its parts beside the name by which it is called.
printf '#!/bin/sh\nexec %q "$@"\n' "$system/usr/bin/mpiexec.hydra" >mpirun
chmod +x mpirun
PATH=$scratch:$PATH TMD=$(program_with_mpich) "$TMD_TESTS/cli/mpi.sh"
