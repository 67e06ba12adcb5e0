// exp exp2 exp10, and the same less 1.
#pragma once

#include "function/function.hpp"

#include <vector>

namespace tmd::function {

[[nodiscard]] std::vector<Function> exponential_functions();

// The phase of sinh and cosh, which come close to half of e^x.
[[nodiscard]] Phase half_an_exponential();

// The period of the phase of 10^x.
void log10_of_2(arb_ptr value, long precision);

} // namespace tmd::function
