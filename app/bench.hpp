// Measurements of `tmd bench` that have a file of their own.
#pragma once

#include "commands.hpp"
#include "options.hpp"

#include <string>

namespace tmd::app {

// 64-bit integer division by every strategy; FP64 division, built in and emulated.
int bench_division(const Arguments& arguments);
// The wide test by the ways to compute it.
int bench_wide(const Arguments& arguments);

// What measurements of a search share: the job, the device, --json.
[[nodiscard]] cxxopts::Options bench_options(const std::string& what, const std::string& description);

} // namespace tmd::app
