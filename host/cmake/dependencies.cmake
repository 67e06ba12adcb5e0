# Finds the libraries, each as an interface target. Headers and libraries are looked for by name, without pkg-config or
# package files, so that a folder of unpacked packages in CMAKE_PREFIX_PATH works as well as an installed system. In such a
# folder libmpfr.so may link to a file that is only in the system: hence the versioned names, and shared before static ones,
# because FLINT and tmd must share one copy of MPFR and GMP.

set(missing_packages "")

# tmd_find_library(TARGET PACKAGE header [LIBRARY name...]): one header, and one library under any of the names.
# PACKAGE is Debian's, for the message about what is missing.
function(tmd_find_library target package header)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "LIBRARY")
  string(TOUPPER "${target}" variable)
  find_path(${variable}_INCLUDE_DIR "${header}")
  mark_as_advanced(${variable}_INCLUDE_DIR)
  set(found ${${variable}_INCLUDE_DIR})
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE "${${variable}_INCLUDE_DIR}")
  if(arg_LIBRARY)
    find_library(${variable}_LIBRARY NAMES ${arg_LIBRARY})
    mark_as_advanced(${variable}_LIBRARY)
    target_link_libraries(${target} INTERFACE "${${variable}_LIBRARY}")
    if(NOT ${variable}_LIBRARY)
      set(found FALSE)
    endif()
  endif()
  if(NOT found)
    set(missing_packages ${missing_packages} ${package} PARENT_SCOPE)
  endif()
endfunction()

find_package(Threads REQUIRED)

find_library(OpenCL_LIBRARY NAMES OpenCL libOpenCL.so.1)
find_package(OpenCL QUIET)
tmd_find_library(tmd_opencl opencl-clhpp-headers CL/opencl.hpp)
if(OpenCL_FOUND)
  target_link_libraries(tmd_opencl INTERFACE OpenCL::OpenCL)
else()
  list(APPEND missing_packages ocl-icd-opencl-dev opencl-c-headers)
endif()

tmd_find_library(tmd_gmp libgmp-dev gmp.h LIBRARY libgmp.so libgmp.so.10 gmp)
tmd_find_library(tmd_mpfr libmpfr-dev mpfr.h LIBRARY libmpfr.so libmpfr.so.6 mpfr)
target_link_libraries(tmd_mpfr INTERFACE tmd_gmp)

# FLINT 3 contains Arb; before that, Arb is a library of its own, called flint-arb in Debian.
tmd_find_library(tmd_flint libflint-dev flint/flint.h LIBRARY libflint.so flint)
if(TMD_FLINT_INCLUDE_DIR AND NOT EXISTS "${TMD_FLINT_INCLUDE_DIR}/flint/arb.h")
  tmd_find_library(tmd_arb libflint-arb-dev arb.h LIBRARY libflint-arb.so libarb.so flint-arb arb)
  set_property(TARGET tmd_flint PROPERTY INTERFACE_LINK_LIBRARIES tmd_arb "${TMD_FLINT_LIBRARY}")
endif()
target_link_libraries(tmd_flint INTERFACE tmd_mpfr)

tmd_find_library(tmd_zlib zlib1g-dev zlib.h LIBRARY libz.so z)
tmd_find_library(tmd_lzma liblzma-dev lzma.h LIBRARY liblzma.so lzma)
tmd_find_library(tmd_cxxopts libcxxopts-dev cxxopts.hpp)
target_compile_definitions(tmd_cxxopts INTERFACE CXXOPTS_NO_REGEX) # which takes half of the time to compile what includes it
tmd_find_library(tmd_json nlohmann-json3-dev nlohmann/json.hpp)
tmd_find_library(tmd_toml libtomlplusplus-dev toml++/toml.h) # header-only
tmd_find_library(tmd_fmt libfmt-dev fmt/format.h)
find_library(TMD_FMT_LIBRARY fmt)
mark_as_advanced(TMD_FMT_LIBRARY OpenCL_LIBRARY)
cmake_path(GET TMD_FMT_INCLUDE_DIR PARENT_PATH fmt_prefix)
cmake_path(IS_PREFIX fmt_prefix "${TMD_FMT_LIBRARY}" fmt_library_fits_headers)
if(fmt_library_fits_headers)
  target_link_libraries(tmd_fmt INTERFACE "${TMD_FMT_LIBRARY}")
else()
  target_compile_definitions(tmd_fmt INTERFACE FMT_HEADER_ONLY)
endif()

# Not required: without it `--mpi` says so. Its C interface, which is the same in all its implementations, is all that is used.
if(TMD_MPI)
  enable_language(C) # by which CMake tries it
  find_package(MPI COMPONENTS C)
endif()

if(missing_packages)
  list(JOIN missing_packages " " missing_packages)
  message(FATAL_ERROR "Libraries are missing. Install these packages (here by Debian's names; app/set-up does it on Debian "
                      "and Ubuntu) or add the folder that holds them to CMAKE_PREFIX_PATH: ${missing_packages}")
endif()
