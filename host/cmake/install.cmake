# What `cmake --install` installs: the program, libtmd with its headers and what finds it (tmdConfig.cmake, tmd.pc), the files
# that both read at run time, and the documentation. Scripts stay executable. Each component is a package: the data that the
# library reads are the program's.
include(CMakePackageConfigHelpers)

set(data "${CMAKE_INSTALL_DATADIR}/tmd")
set(scripts REGEX "\\.(sh|sbatch|py)$" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
  WORLD_EXECUTE)
install(TARGETS tmd_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tmd)
install(TARGETS tmd_lab_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tmd OPTIONAL)
if(TARGET tmd_mpi)
  install(TARGETS tmd_mpi LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/tmd" COMPONENT tmd-mpi)
endif()
install(DIRECTORY cl_kernels/ DESTINATION "${data}/cl_kernels" COMPONENT tmd FILES_MATCHING PATTERN "*.cl" PATTERN "*.clh")
install(DIRECTORY configs/ DESTINATION "${data}/configs" COMPONENT tmd ${scripts})
install(DIRECTORY python/ DESTINATION "${data}/python" COMPONENT tmd FILES_MATCHING REGEX "\\.(py|html)$")
install(FILES app/tmd.1 app/tmd-lab.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tmd)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tmd-doc)
install(DIRECTORY doc results DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tmd-doc ${scripts})

# The library. Its headers need nothing but the standard library, so who links the shared one needs no other package. Who
# links the static one needs what tmd is built with; its names are for the linker, as in tmd.pc.
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/tmd")
set(private_libraries flint mpfr gmp OpenCL z lzma)
if(TARGET tmd_arb)
  list(PREPEND private_libraries flint-arb)
endif()
if(fmt_library_fits_headers)
  list(APPEND private_libraries fmt)
endif()
list(TRANSFORM private_libraries PREPEND "-l" OUTPUT_VARIABLE private_flags)
list(JOIN private_flags " " private_flags)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/tmdConfig.cmake.in" "${PROJECT_BINARY_DIR}/tmdConfig.cmake"
  INSTALL_DESTINATION "${package}" PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tmdConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH prefix_from_pc "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file("${CMAKE_CURRENT_LIST_DIR}/tmd.pc.in" "${PROJECT_BINARY_DIR}/tmd.pc" @ONLY)
install(TARGETS tmd_shared EXPORT tmdTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libtmd
  NAMELINK_COMPONENT libtmd-dev)
install(TARGETS tmd_host ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT libtmd-dev)
install(DIRECTORY host/include/tmd DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT libtmd-dev)
install(EXPORT tmdTargets NAMESPACE tmd:: DESTINATION "${package}" COMPONENT libtmd-dev)
install(FILES "${PROJECT_BINARY_DIR}/tmdConfig.cmake" "${PROJECT_BINARY_DIR}/tmdConfigVersion.cmake" DESTINATION "${package}"
  COMPONENT libtmd-dev)
install(FILES "${PROJECT_BINARY_DIR}/tmd.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT libtmd-dev)
