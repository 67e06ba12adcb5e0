// Measurements of `tmd bench` that have a file of their own.
#pragma once

#include "commands.hpp"

namespace tmd::app {

// 64-bit integer division by every strategy; FP64 division, built in and emulated.
int bench_division(const Arguments& arguments);

} // namespace tmd::app
