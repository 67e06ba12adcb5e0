# What the scripts of this folder share: kernels compiled for devices that are not at hand, and what the compilers say of
# registers. For Bash.
set -euo pipefail
kernels=$(realpath "${TMD_TESTS:?the folder of the sources of the tests}/../cl_kernels")
nvidia_library=/usr/lib/clc/nvptx64--nvidiacl.bc

# set_options TARGET: sets the array `options`.
set_options() {
  options=(-x cl -D__OPENCL_VERSION__=120 -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins
    -Wall -Wextra -Werror -Wno-unused-parameter -O3) # one signature for several forms
  if [[ $1 == spir64* ]]; then # the translator needs code that has not been optimized
    options+=(-target spir64 -emit-llvm -c -Xclang -disable-llvm-passes)
    if [[ $1 == *-nofp64 ]]; then options+=(-Xclang -cl-ext=-cl_khr_fp64); fi
  elif [[ $1 == sm_* ]]; then # PTX, as NVIDIA's compiler takes it: with the inline assembly of its devices
    options+=(-target nvptx64--nvidiacl -Xclang -target-cpu -Xclang sm_75 -S -D__NV_CL_C_VERSION=1 -Dasm=__asm__
      -Xclang -mlink-builtin-bitcode -Xclang "$nvidia_library" -Wno-linker-warnings -Wno-pass-failed)
  else
    options+=(-target amdgcn-unknown-amdhsa "-mcpu=$1" -nogpulib -S -Xclang -mlink-builtin-bitcode -Xclang "$library"
      -Wno-linker-warnings # libclc's triple has another vendor
      -Wno-pass-failed)    # with the greatest values, loops are too long to be unrolled
  fi
}

# find_compiler: `clang` and a `library` that fits it, the newest first; `translator`, where there is one, to SPIR-V; and a
# folder `work`, which goes away at the end.
find_compiler() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  export work clang library translator
  echo 'kernel void probe(global float *x) { *x = fma(*x, *x, floor(*x)); }' >"$work/probe.cl"
  for clang in $(compgen -c clang- | grep -xE 'clang-[0-9]+' | sort -ruV) clang; do
    for library in /usr/lib/clc/amdgcn-*-amdhsa.bc; do
      set_options gfx803
      if "$clang" "${options[@]}" -cl-std=CL1.2 -o "$work/probe.s" "$work/probe.cl" 2>/dev/null; then
        translator=llvm-spirv-${clang#clang-}
        command -v "$translator" >/dev/null || translator=
        return
      fi
    done
  done
  echo "skipped: there is no clang with a libclc that fits it (packages clang-N and libclc-N)"
  exit 77
}

# fail WHAT LOG: ends a compilation.
fail() {
  { echo "FAILED: $1" && head -n 12 "$2"; } >>"$work/failures"
  exit 1
}

# compile TARGET FILE [MACRO=VALUE...]: prints "KERNEL TARGET VGPRS SGPRS LDS SCRATCH SPILLS MACRO..." a kernel.
compile() {
  local target=$1 file=$2 build=${*:2} language=CL1.2
  shift 2
  local output=$work/$target-${build//[ =\/]/-}
  if [[ $build == *COMPACTION=3* ]]; then language=CL2.0; fi # in 1.2, clang knows no sub-groups
  set_options "$target"
  if ! "$clang" "${options[@]}" "-cl-std=$language" "${@/#/-DTMD_}" -o "$output" "$kernels/$file" 2>"$output.log"; then
    fail "$target: $build" "$output.log"
  fi
  if [[ $target == spir64* ]]; then
    if [[ -n $translator ]] && ! "$translator" "$output" -o "$output.spv" 2>"$output.log"; then
      fail "$translator: $build" "$output.log"
    fi
    echo "${file%.cl} $target - - - - 0 $*"
    return
  fi
  if [[ $target == sm_* ]]; then
    if ! ptxas -v "-arch=$target" -o "$output.cubin" "$output" >"$output.log" 2>&1; then fail "ptxas: $build" "$output.log"; fi
    awk -v target="$target" -v macros="$*" '
      /Compiling entry function/ { gsub("\047", ""); name = $7 }
      /bytes stack frame/ { stack = $1; spills = $5 }
      / Used [0-9]+ registers/ { print name, target, $5, "-", "-", stack, spills, macros }
    ' "$output.log"
    return
  fi
  if grep -q s_swappc "$output"; then # everything is inlined, unless libclc lacks it
    fail "$target: $build calls functions that are nowhere" /dev/null
  fi
  awk -v target="$target" -v macros="$*" '
    /\.end_amdgpu_metadata/ { metadata = 0 }
    metadata && $1 == ".group_segment_fixed_size:" { lds = $2 }
    metadata && $1 == ".name:" && /^    \.name:/ { name = $2 }
    metadata && $1 == ".private_segment_fixed_size:" { scratch = $2 }
    metadata && $1 == ".sgpr_count:" { sgprs = $2 }
    metadata && $1 == ".sgpr_spill_count:" { spills = $2 }
    metadata && $1 == ".vgpr_count:" { vgprs = $2 }
    metadata && $1 == ".vgpr_spill_count:" { spills += $2 }
    metadata && $1 == ".wavefront_size:" { print name, target, vgprs, sgprs, lds, scratch, spills, macros }
    /\.amdgpu_metadata/ { metadata = 1 }
  ' "$output"
}
