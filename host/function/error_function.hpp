// erf erfc.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> error_functions();

} // namespace tmd::function
