// log log2 log10, and those of 1 + x.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> logarithm_functions();

// The binades of asinh and acosh, which come close to log(2x): their distance is below 1/x².
[[nodiscard]] Phase logarithm_of_twice();

} // namespace tmd::function
