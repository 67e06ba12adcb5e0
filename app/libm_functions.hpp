// tmd libm --all-functions: every function of C that a library has.
#pragma once

#include <cxxopts.hpp>

namespace tmd::app {

// Tests each function at all arguments of a short format, or at samples; prints a line for each and returns the exit
// status.
int libm_all_functions(const cxxopts::ParseResult& parsed, bool at_all_arguments);

} // namespace tmd::app
