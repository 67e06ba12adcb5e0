// exp exp2 exp10, and the same less 1.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> exponential_functions();

} // namespace tmd::function
