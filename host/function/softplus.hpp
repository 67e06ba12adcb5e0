// log(1 + exp(x)) as one function: expressions with it are evaluated by this one, since exp(x) overflows long before
// the value does.
#pragma once

#include "function/function.hpp"

namespace tmd::function {

// It lies above x by log(1 + exp(-x)), which is less than exp(-x), and lives as long as the program.
[[nodiscard]] const Function& softplus();

} // namespace tmd::function
