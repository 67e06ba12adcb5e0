// sin cos tan, and those of π·x.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> trigonometric_functions();

} // namespace tmd::function
