# What `cpack -G DEB` and `cpack -G TGZ` make of the installed components; doc/guide/installing.md says how. Debian's policy wants
# the paths of CMAKE_INSTALL_PREFIX=/usr, as the preset `packages` has them.
set(CPACK_PACKAGE_NAME tmd)
set(CPACK_PACKAGE_VENDOR "the tmd authors")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE) # a package a component
set(CPACK_COMPONENTS_ALL tmd libtmd libtmd-dev tmd-doc)
if(TARGET tmd_mpi)
  list(APPEND CPACK_COMPONENTS_ALL tmd-mpi)
endif()
set(tmd_next_python 0)
if(TMD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  math(EXPR tmd_next_python "${Python_VERSION_MINOR} + 1")
endif()
set(TMD_PACKAGER "the tmd authors <tmd@users.noreply.github.com>" CACHE STRING "Name and address of who makes packages")
set(CPACK_PACKAGE_CONTACT "${TMD_PACKAGER}")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/finish_packages.cmake")

# tmd_package(COMPONENT name section summary what-it-is [FIELD value]...): fields are those of cpack for Debian.
function(tmd_package component name section summary what_it_is)
  string(TOUPPER "${component}" upper)
  cmake_parse_arguments(PARSE_ARGV 5 arg "" "PACKAGE_ARCHITECTURE"
    "PACKAGE_DEPENDS;PACKAGE_RECOMMENDS;PACKAGE_SUGGESTS;PACKAGE_CONTROL_EXTRA")
  set(arg_PACKAGE_NAME "${name}")
  set(arg_PACKAGE_SECTION "${section}")
  foreach(field IN ITEMS NAME SECTION ARCHITECTURE DEPENDS RECOMMENDS SUGGESTS CONTROL_EXTRA)
    if(arg_PACKAGE_${field})
      set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${arg_PACKAGE_${field}}" PARENT_SCOPE)
    endif()
  endforeach()
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${what}\n\n${what_it_is}" PARENT_SCOPE)
endfunction()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake") # what cpack takes for none: each has its own

set(abi "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(same "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(what "For which arguments is a function's value so near to a rounding breakpoint
that it is hard to round? tmd finds all of them in a range, on OpenCL devices,
and confirms each by MPFR.")
tmd_package(tmd tmd math "solver of the Table Maker's Dilemma" "This is the program."
  PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd"
  PACKAGE_SUGGESTS "tmd-doc, tmd-mpi, python3-matplotlib, python3-numpy, python3-scipy")
tmd_package(tmd-mpi tmd-mpi math "searches of tmd on many machines" "This is what its option --mpi loads."
  PACKAGE_DEPENDS "tmd ${same}" PACKAGE_RECOMMENDS openmpi-bin)
# Told to packages that are built on the library, and to the dynamic linker.
file(WRITE "${PROJECT_BINARY_DIR}/shlibs" "libtmd ${abi} libtmd${abi} (>= ${PROJECT_VERSION})\n")
file(WRITE "${PROJECT_BINARY_DIR}/triggers" "activate-noawait ldconfig\n")
tmd_package(libtmd libtmd${abi} libs "library of the Table Maker's Dilemma"
  "This is the shared library. It uses tmd's kernels and program."
  PACKAGE_DEPENDS "tmd ${same}" PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/shlibs" "${PROJECT_BINARY_DIR}/triggers")
tmd_package(libtmd-dev libtmd-dev libdevel "library of the Table Maker's Dilemma: development files"
  "These are headers, the static library, and files for CMake and pkg-config."
  PACKAGE_DEPENDS "libtmd${abi} ${same}" PACKAGE_SUGGESTS tmd-doc
  PACKAGE_RECOMMENDS "libflint-dev, libmpfr-dev, ocl-icd-opencl-dev, zlib1g-dev, liblzma-dev, libfmt-dev")
tmd_package(tmd-doc tmd-doc doc "solver of the Table Maker's Dilemma: manual and results"
  "These are its pages, and lists of cases of whole functions." PACKAGE_ARCHITECTURE all)
# What Python compiles comes and goes with the package, as Debian's dh_python3 has it.
foreach(script IN ITEMS postinst:py3compile prerm:py3clean)
  string(REPLACE ":" ";" script "${script}")
  list(POP_FRONT script name)
  file(WRITE "${PROJECT_BINARY_DIR}/python/${name}"
    "#!/bin/sh\nset -e\nif command -v ${script} >/dev/null; then ${script} -p python3-tmd; fi\n")
endforeach()
tmd_package(python python3-tmd python "Table Maker's Dilemma for Python" "This is the Python package."
  PACKAGE_DEPENDS "libtmd${abi} ${same}, python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${tmd_next_python}), python3-numpy"
  PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas, python3-scipy"
  PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/python/postinst" "${PROJECT_BINARY_DIR}/python/prerm")
include(CPack)
