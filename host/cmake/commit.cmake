# Writes OUTPUT, a header with the commit that the program is built from, where it says something else: run at every build.
# SOURCE is the project's folder, GIT the program or nothing, COMMIT what the user says, who may have neither repository nor
# an archive of `git archive`, which has filled in commit.txt. What is built from a changed tree has "-dirty" behind.
set(commit "${COMMIT}")
if(NOT commit AND GIT AND EXISTS "${SOURCE}/.git") # else the repository would be another's, in which this one lies
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" rev-parse --verify --quiet --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND "${GIT}" --no-optional-locks -C "${SOURCE}" status --porcelain -- CMakeLists.txt CMakePresets.json app cl_kernels host tune
    OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(commit AND changes)
    string(APPEND commit "-dirty")
  endif()
endif()
if(NOT commit)
  file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/commit.txt" archived LIMIT_COUNT 1)
  if(archived MATCHES "^[0-9a-f]+$")
    string(SUBSTRING "${archived}" 0 12 commit)
  else()
    set(commit unknown)
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define TMD_COMMIT \"${commit}\"\n")
