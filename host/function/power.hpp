// sqrt rsqrt cbrt recip, and the families x^n, x^(1/n) and (1 + x)^n.
#pragma once

#include "function/family.hpp"
#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> power_functions();
[[nodiscard]] std::vector<FunctionFamily> power_families();

} // namespace tmd::function
