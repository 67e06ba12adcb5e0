# What Debian's policy wants in each package beside what is installed: a copyright file, a changelog, compressed manuals.
# cpack runs this when the components lie in a folder each, before it packs them.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # that of SOURCE_DATE_EPOCH, if it is set
file(READ "${CPACK_RESOURCE_FILE_LICENSE}" license)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" upper)
  set(package "${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share")
  set(doc "${root}/doc/${package}")
  file(WRITE "${doc}/copyright" "${license}")
  file(WRITE "${doc}/changelog.Debian" "tmd (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; CHANGELOG.md in tmd-doc says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(GLOB_RECURSE compressed "${root}/man/*.1")
  execute_process(COMMAND gzip --best --no-name "${doc}/changelog.Debian" ${compressed} COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE "${root}/doc/tmd/LICENSE") # which is the copyright file
endforeach()
