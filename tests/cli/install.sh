#!/usr/bin/env bash
# cmake --install: the installed program finds its kernels from anywhere; TMD_KERNEL_PATH names others. The documentation is
# installed whole.
source "${TMD_TESTS:?the folder of the tests}/cli/common.bash" || exit

build=$(cd "$(dirname "$TMD")/.." && pwd)
command -v cmake >/dev/null && [[ -e $build/cmake_install.cmake ]] || skip "no build folder to install from"

cmake --install "$build" --prefix "$scratch/usr" >log 2>&1 || {
  cat log >&2
  fail "cmake --install"
}
for file in bin/tmd share/tmd/cl_kernels/domains/phase1.cl share/tmd/configs/devices/amd-gpu.toml share/doc/tmd/README.md share/doc/tmd/doc/cases.svg share/man/man1/tmd.1; do
  [[ -e usr/$file ]] || fail "$file is not installed"
done
source=$(cd "$TMD_TESTS/.." && pwd)
for folder in share/tmd/configs share/doc/tmd/doc share/doc/tmd/results; do
  cmp -s <(cd "usr/$folder" && find . -type f -perm /111 | sort) \
    <(cd "$source/${folder##*/}" && find . -type f -perm /111 | sort) || fail "$folder: not the executable files of $source"
done
if [[ -e $build/completions/tmd.bash ]]; then # a build of the program alone has none
  for file in bash-completion/completions/tmd zsh/site-functions/_tmd fish/vendor_completions.d/tmd.fish; do
    [[ -s usr/share/$file ]] || fail "$file is not installed"
  done
fi
for page in usr/share/doc/tmd/*.md usr/share/doc/tmd/doc/{,developer/}*.md; do
  dangling=$(dangling_links "$page")
  [[ -z $dangling ]] || fail "$page: links that lead nowhere once it is installed: $dangling"
done
if grep -rqF "$(cd "$TMD_TESTS/.." && pwd)/" usr/bin; then fail "the program knows where it was built"; fi

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

# Without its kernels it says so; with their folder's name it runs again, also where there is a blank in it.
mv "$scratch/usr/share/tmd/cl_kernels" "$scratch/my kernels"
cd "$scratch"
refuses 3 "the OpenCL kernels are not in '$scratch/usr/share/tmd/cl_kernels'; name their folder in TMD_KERNEL_PATH" "${small[@]}"
export TMD_KERNEL_PATH="$scratch/my kernels"
succeeds "${small[@]}"
