// sinh cosh tanh and their inverses.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> hyperbolic_functions();

} // namespace tmd::function
