// tgamma and lgamma.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> gamma_functions();

} // namespace tmd::function
