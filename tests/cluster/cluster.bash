# Functions that the tests of clusters share. Debian's packages are unpacked in the test's folder, so that the system
# stays as it is.
# shellcheck disable=SC2154  # common.bash has them

# Eight ports from this one on are this test's: those that run beside it have other process numbers.
# shellcheck disable=SC2034  # the tests use it
port=$((10000 + $$ % 2500 * 8))

# unpack PACKAGE...: into $scratch/system, with the packages they need and this machine lacks; programs and libraries are
# found there from now on. Skips where they cannot be had.
unpack() {
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip "no apt-get, which gets $*"
  mkdir -p debs/partial system
  timeout 300 apt-get install --download-only --yes --no-install-recommends -o Debug::NoLocking=1 \
    -o Dir::Cache::archives="$scratch/debs" "$@" >log 2>&1 </dev/null || skip "apt-get cannot get $*: $(grep '^E:' log | tail -n 1)"
  local package
  for package in debs/*.deb; do
    [[ -e $package ]] && dpkg --extract "$package" system
  done
  rm -rf debs
  system=$scratch/system
  libraries=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -dumpmachine)
  export PATH=$system/usr/bin:$system/usr/sbin:/usr/sbin:$PATH
  export LD_LIBRARY_PATH=$system$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

# program_with_mpich: makes a copy of the program whose mpi.so is linked with MPICH; prints its path.
program_with_mpich() {
  local build source=$TMD_TESTS/..
  build=$(dirname "$(dirname "$TMD")")
  mkdir -p "$scratch/mpich/bin" "$scratch/mpich/lib/tmd" "$scratch/mpich/lib/${libraries##*/}"
  ln -s "$scratch/mpich/lib/tmd" "$scratch/mpich/lib/${libraries##*/}/tmd" # where it would be with the prefix /usr
  cp "$TMD" "$scratch/mpich/bin/tmd"
  ln -s "$build/share" "$scratch/mpich/share"
  g++ -std=c++20 -O2 -shared -fPIC -DMPICH_SKIP_MPICXX -I "$source/host/include" -I "$source/host" \
    -I "$system/usr/include/${libraries##*/}/mpich" "$source/host/cluster/mpi_module.cpp" -o "$scratch/mpich/lib/tmd/mpi.so" \
    -L "$system$libraries" -lmpich
  echo "$scratch/mpich/bin/tmd"
}
