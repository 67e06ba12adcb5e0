// asin acos atan, and the same over π.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> inverse_trigonometric_functions();

} // namespace tmd::function
