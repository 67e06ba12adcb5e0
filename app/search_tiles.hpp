// tmd search of an expression of x and y over ranges of both.
#pragma once

#include "run/power_run.hpp"

#include "function/pair_expression.hpp"

namespace tmd::app {

// Searches on one device, without a journal. Returns the exit status.
[[nodiscard]] int search_tiles(const run::PowerRequest& request, const function::Formula& formula,
                               const run::OutputNames& outputs);

} // namespace tmd::app
