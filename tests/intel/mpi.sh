#!/usr/bin/env bash
# --mpi: a rank on PoCL and one on Intel's runtime find what one of them finds alone.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/intel/intel.bash"
command -v mpirun >/dev/null || skip "no mpirun"

job=(search exp --from 1 --to 0x1.0001p+0 --bits 28 --reproducible)
tmd "${small[@]}" --mpi
[[ $status -eq 0 ]] || skip "built without MPI"
succeeds "${job[@]}" --device "$intel" --json alone.jsonl

# Each rank sees its own driver only.
mkdir intel pocl
for driver in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; do
  if grep -q libintelocl "$driver"; then cp "$driver" intel/; fi
  if grep -q libpocl "$driver"; then cp "$driver" pocl/; fi
done
[[ -n $(ls pocl) ]] || skip "PoCL is not installed"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
timeout 120 mpirun -n 1 env OCL_ICD_VENDORS="$scratch/intel" "$TMD" "${job[@]}" --mpi --json files/both.jsonl \
  : -n 1 env OCL_ICD_VENDORS="$scratch/pocl" "$TMD" "${job[@]}" --mpi >out 2>err </dev/null || fail "status $?"
grep -q '^on device 0 of .* (rank 0): .*(Intel(R) OpenCL)' out || fail "rank 0 is not on Intel's runtime"
grep -q '^on device 0 of .* (rank 1): .*(Portable Computing Language)' out || fail "rank 1 is not on PoCL"
cmp <(sed '1s/"command":"[^"]*"//' alone.jsonl) <(sed '1s/"command":"[^"]*"//' files/both.jsonl) || fail "other cases than alone"
