#!/usr/bin/env bash
# --mpi: a rank on PoCL and one on Intel's runtime find what one of them finds alone.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/intel/intel.bash"
source "$TMD_TESTS/cli/mpi.bash"

job=(search exp --from 1 --to 0x1.0001p+0 --bits 28 --reproducible)
succeeds "${job[@]}" --device "$intel" --json alone.jsonl

# Each rank sees its own driver only.
mkdir intel pocl
for driver in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd; do
  if grep -q libintelocl "$driver"; then cp "$driver" intel/; fi
  if grep -q libpocl "$driver"; then cp "$driver" pocl/; fi
done
[[ -n $(ls pocl) ]] || skip "PoCL is not installed"
ranks 0 -n 1 env OCL_ICD_VENDORS="$scratch/intel" "$TMD" "${job[@]}" --mpi --json files/both.jsonl \
  : -n 1 env OCL_ICD_VENDORS="$scratch/pocl" "$TMD" "${job[@]}" --mpi
grep -q '^on device 0 of .* (rank 0): .*(Intel(R) OpenCL)' out || fail "rank 0 is not on Intel's runtime"
grep -q '^on device 0 of .* (rank 1): .*(Portable Computing Language)' out || fail "rank 1 is not on PoCL"
without_request='1s/"command":"[^"]*"//;1s/,"request":{[^}]*}//'
cmp <(sed "$without_request" alone.jsonl) <(sed "$without_request" files/both.jsonl) || fail "other cases than alone"
