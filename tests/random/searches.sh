#!/usr/bin/env bash
# Random searches against plain enumeration in MPFR: 150 that are always the same, or, in `tests/run --all`, 3000 others.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
python=python3
"$python" -c 'import gmpy2' 2>/dev/null || python=/usr/bin/python3
"$python" -c 'import gmpy2' 2>/dev/null || skip "no Python with gmpy2 (package python3-gmpy2)"
tmd devices
grep -q "usable  *yes" out || skip "no usable device"

searches=(--searches 150 --seed 1)
if [[ -n ${TMD_TEST_ALL:-} ]]; then searches=(--searches 3000); fi
"$python" -B "$TMD_TESTS/random/searches.py" "$TMD_PROGRAM" "${searches[@]}"
