#!/usr/bin/env bash
# cmake --install: the installed program finds its kernels from anywhere; TMD_KERNEL_PATH names others. The documentation is
# installed whole. A project that uses the library is built by find_package(), shared and static, and by pkg-config.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit
# shellcheck source=tests/pages.bash
source "$TMD_TESTS/pages.bash"

build=$(cd "$(dirname "$TMD")/.." && pwd)
command -v cmake >/dev/null && [[ -e $build/cmake_install.cmake ]] || skip "no build folder to install from"

cmake --install "$build" --prefix "$scratch/usr" >log 2>&1 || {
  cat log >&2
  fail "cmake --install"
}
source=$(cd "$TMD_TESTS/.." && pwd)
for file in bin/tmd bin/tmd-lab share/man/man1/tmd-lab.1 include/tmd/error.hpp share/tmd/cl_kernels/domains/phase1.cl share/tmd/configs/devices/amd-gpu.toml share/tmd/python/tmd/plot.py share/doc/tmd/README.md share/doc/tmd/doc/cases.svg share/man/man1/tmd.1; do
  [[ -e usr/$file ]] || fail "$file is not installed"
done
for folder in share/tmd/configs share/doc/tmd/doc share/doc/tmd/results; do
  cmp -s <(cd "usr/$folder" && find . -type f -perm /111 | sort) \
    <(cd "$source/${folder##*/}" && find . -type f -perm /111 | sort) || fail "$folder: not the executable files of $source"
done
if [[ -e $build/completions/tmd.bash ]]; then # a build of the program alone has none
  for file in bash-completion/completions/tmd zsh/site-functions/_tmd fish/vendor_completions.d/tmd.fish; do
    [[ -s usr/share/$file ]] || fail "$file is not installed"
  done
fi
while IFS= read -r page; do
  dangling=$(dangling_links "$page")
  [[ -z $dangling ]] || fail "$page: links that lead nowhere once it is installed: $dangling"
done < <(find usr/share/doc/tmd -maxdepth 1 -name '*.md' && find usr/share/doc/tmd/doc -name '*.md')
if grep -rqF "$source/" usr/bin usr/lib*; then fail "something knows where it was built"; fi

# The installed library.
mkdir user
cp "$source/doc/examples/search.cpp" user
cat >user/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(tmd REQUIRED)
add_executable(shared search.cpp)
target_link_libraries(shared tmd::tmd)
add_executable(static search.cpp)
target_link_libraries(static tmd::static)
target_compile_features(static PRIVATE cxx_std_20)
END
cmake -S user -B user/build -DCMAKE_PREFIX_PATH="$scratch/usr" >out 2>err && cmake --build user/build >>out 2>>err || fail "find_package(tmd)"
builds=(user/build/shared user/build/static)
if command -v pkg-config >/dev/null; then
  pc=$(dirname "$(find usr -name tmd.pc)")
  # shellcheck disable=SC2046  # words
  "${CXX:-c++}" -std=c++20 user/search.cpp -o user/by_pc $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs tmd) >out 2>err ||
    fail "pkg-config tmd"
  builds+=(user/by_pc)
fi
LD_LIBRARY_PATH=$(dirname "$(find "$PWD/usr" -name libtmd.so)")
export LD_LIBRARY_PATH
# The shared library finds its kernels and profiles; a program with the static one may be anywhere.
run_user() {
  if [[ $1 == */static ]]; then
    TMD_KERNEL_PATH=$scratch/usr/share/tmd/cl_kernels TMD_CONFIG_PATH=$scratch/usr/share/tmd/configs "$1"
  else
    "$1"
  fi >out 2>err
}
# An error of the library is caught by its type, across the library's border. Without a driver there is no device.
for program in "${builds[@]}"; do
  status=0
  OCL_ICD_VENDORS=$scratch/no-drivers run_user "$program" || status=$?
  [[ $status -eq 3 ]] || fail "$program: exit status $status without a device"
done
# A program that only examines values links no OpenCL.
cat >user/value.cpp <<'END'
#include <tmd/value.hpp>
#include <cstdio>

int main() {
  tmd::JobSpec spec;
  spec.functions = {"exp"};
  std::printf("%.2f\n", tmd::value_at(spec, "0x1.0000000050418p+0").nearest->bits);
}
END
# The installed program calls a math library, whatever program asks for it.
cat >user/libm.cpp <<'END'
#include <tmd/library.hpp>
#include <cstdio>

int main() {
  for (const char* symbol : {"", "cos"})
    for (const tmd::LibmResult& one : tmd::call_libm({"exp", "libm.so.6", symbol}, {"0", "1000"}))
      if (one.direction == tmd::Direction::nearest)
        std::printf("%s %s %d %.3g\n", tmd::to_hex(one.x).c_str(), one.returned.c_str(), static_cast<int>(one.verdict), one.error);
}
END
if [[ " ${builds[*]} " == *by_pc* ]]; then
  # shellcheck disable=SC2046  # words
  "${CXX:-c++}" -std=c++20 user/libm.cpp -o user/libm $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs tmd) >out 2>err || fail "libm"
  user/libm >out 2>err || fail "a program that calls a math library"
  [[ $(cut -d' ' -f1-3 out | paste -sd,) == "0x0p+0 0x1p+0 0,0x1.f4p+9 inf 0,0x0p+0 0x1p+0 0,0x1.f4p+9 0x1.1ff026793f1bbp-1 1" ]] ||
    fail "not what exp and cos of libm.so.6 give for exp"
  archive=$(find usr -name libtmd.a)
  # shellcheck disable=SC2046  # words
  "${CXX:-c++}" -std=c++20 user/value.cpp -o user/value "$archive" -Wl,--as-needed \
    $(PKG_CONFIG_PATH=$pc pkg-config --cflags --static --libs tmd | sed 's/-ltmd//') >out 2>err || fail "a value, static"
  [[ $(user/value) == 22.10 ]] || fail "not the distance of exp at 0x1.0000000050418p+0"
  if ldd user/value | grep -qi opencl; then fail "a program that judges values links OpenCL"; fi
fi
if "$scratch/usr/bin/tmd" devices 2>/dev/null | grep -q "usable  *yes"; then
  for program in "${builds[@]}"; do
    run_user "$program" || fail "$program does not run"
    [[ $(tail -1 out) == "243 cases among 1099511627776 arguments" ]] || fail "$program: not the 243 cases"
    [[ $(grep -c '^0x1.0' out) -eq 243 ]] || fail "$program: not each case once while it searches"
  done
fi

mkdir elsewhere
cd elsewhere
TMD=$scratch/usr/bin/tmd
"$TMD" --version >/dev/null
ln -s ../usr/bin/tmd link
"$TMD" devices 2>/dev/null | grep -q "usable  *yes" || skip "no usable device"
for program in "$TMD" ./link; do
  "$program" "${small[@]}" --wc list.wc >/dev/null || fail "$program does not run from another folder"
  [[ $(grep -vc '^#' list.wc) -eq 4 ]] || fail "$program: not the four cases"
done

cd "$scratch"
# MPI is in a module that only --mpi loads; without it, a message says what to install.
if ldd "$TMD" "$LD_LIBRARY_PATH/libtmd.so" | grep libmpi; then fail "something is linked with MPI"; fi
module=$LD_LIBRARY_PATH/tmd/mpi.so
if [[ -e $module ]]; then
  succeeds "${small[@]}" --mpi
  rm "$module"
fi
refuses 2 "this tmd is without MPI: there is no '$module'; install the package tmd-mpi, build tmd where Open MPI or MPICH is installed, or leave out --mpi" "${small[@]}" --mpi

# Without its kernels it says so; with the name of their folder it runs again, also with a blank in that name.
mv "$scratch/usr/share/tmd/cl_kernels" "$scratch/my kernels"
refuses 3 "the OpenCL kernels are not in '$scratch/usr/share/tmd/cl_kernels'; name their folder in TMD_KERNEL_PATH" "${small[@]}"
export TMD_KERNEL_PATH="$scratch/my kernels"
succeeds "${small[@]}"
