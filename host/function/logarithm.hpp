// log log2 log10, and those of 1 + x.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> logarithm_functions();

} // namespace tmd::function
