// The main function of every doctest program.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

// With --all, PoCL optimizes the kernels of those tests, too, for which CMakeLists.txt says that it shall not.
[[maybe_unused]] static const bool kernels_are_optimized =
    tmd::test::tries_all && ::unsetenv("POCL_EXTRA_BUILD_FLAGS") == 0;
