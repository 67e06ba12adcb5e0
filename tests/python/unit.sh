#!/usr/bin/env bash
# The Python modules by themselves: tests/python/test_*.py.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
has_python plot && has_python publish || skip "no Python with NumPy, SciPy and matplotlib"
modules=$(dirname "$TMD_TESTS")/python
python=python3
"$python" -B "$modules" --check plot || python=/usr/bin/python3
PYTHONPATH=$modules "$python" -B -m unittest discover --start-directory "$TMD_TESTS/python"
