// tmd compare --built-ins: the errors of OpenCL C's functions on each device.
#pragma once

#include <cxxopts.hpp>

namespace tmd::app {

void add_built_in_options(cxxopts::Options& options);
// Throws UsageError if an option of --built-ins is given without it.
void refuse_built_in_options(const cxxopts::ParseResult& parsed);

// Prints the table, and returns the exit status.
[[nodiscard]] int compare_built_ins(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
