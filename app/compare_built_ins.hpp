// tmd compare --built-ins: how much the functions of OpenCL C err on each device.
#pragma once

#include <cxxopts.hpp>

namespace tmd::app {

void add_built_in_options(cxxopts::Options& options);
// Throws UsageError where one of these is given without --built-ins.
void refuse_built_in_options(const cxxopts::ParseResult& parsed);

// Prints the table, and returns the exit status.
[[nodiscard]] int compare_built_ins(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
