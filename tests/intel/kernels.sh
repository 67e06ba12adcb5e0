#!/usr/bin/env bash
# The kernels on Intel's runtime, vectorized wherever that can be done: the phases, the polynomials.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
source "$TMD_TESTS/intel/intel.bash"

tests=$(dirname "$TMD")/tmd_kernel_tests
[[ -x $tests ]] || skip "tmd_kernel_tests is not built"
export CL_CONFIG_CPU_VECTORIZER_MODE=0 TMD_TEST_DEVICE=$intel
"$tests" --test-case='phases: every tunable,polynomials: curvatures*' >out 2>err || fail "tmd_kernel_tests"
grep -qE 'test cases: +2 .* 2 passed' out || fail "these are not two test cases"
