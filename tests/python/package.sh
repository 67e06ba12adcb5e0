#!/usr/bin/env bash
# The Python package, installed by pip into an environment of its own, on the libtmd that is built here. pip gets its
# build requirements, nanobind and scikit-build-core, from its index.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

build=$(cd "$(dirname "$TMD")/.." && pwd)
source=$(cd "$TMD_TESTS/.." && pwd)
[[ -n $(find "$build" -maxdepth 3 -name libtmd.so) ]] || skip "no libtmd.so in the build folder"
[[ -z ${ASAN_OPTIONS:-} ]] || skip "AddressSanitizer would have to be loaded before Python"
has_python plot || skip "no Python with NumPy and matplotlib"
python=python3
"$python" -B "$source/python" --check plot || python=/usr/bin/python3
"$python" -c 'import os, sysconfig, sys; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
  skip "no headers of Python (package python3-dev)"
"$python" -m venv --system-site-packages environment >log 2>&1 || skip "no module venv of Python (package python3-venv)"
timeout 120 environment/bin/pip install --quiet --disable-pip-version-check 'scikit-build-core>=0.10' 'nanobind>=2' >log 2>&1 ||
  skip "pip cannot get nanobind and scikit-build-core: $(tail -n 1 log)"

cmake --install "$build" --prefix "$scratch/usr" >log 2>&1 || {
  cat log >&2
  fail "cmake --install"
}
CMAKE_PREFIX_PATH=$scratch/usr timeout 600 environment/bin/pip install --disable-pip-version-check --no-deps --no-build-isolation --verbose \
  --config-settings=build-dir="$scratch/build" --config-settings=cmake.define.TMD_SYSTEM=ON \
  --config-settings=build.targets=tmd_python --config-settings=install.components=python "$source" >log 2>&1 || {
  cat log >&2
  fail "pip install"
}
export PATH=$scratch/usr/bin:$PATH
[[ $(environment/bin/tmd --version) == "$("$TMD" --version)" ]] || fail "the command tmd of the package is not the program"
mkdir work
cd work
bounded=(timeout 300 ../environment/bin/python -B)
"${bounded[@]}" "$TMD_TESTS/python/package/test_package.py"
