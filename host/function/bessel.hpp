// The Bessel functions j0 j1 y0 y1.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> bessel_functions();

} // namespace tmd::function
