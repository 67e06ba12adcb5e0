// Vector functions as the vector ABIs of x86-64 and AArch64 define them: their names, and how to call them.
#pragma once

#include "tmd/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tmd::library {

// "_ZGVdN4v_exp": the name of the vector variant of a C function of one argument, for a number of lanes of `size` bytes
// each. Throws UsageError if this processor has no such vectors.
[[nodiscard]] std::string vector_name(std::string_view c_name, std::size_t lanes, std::size_t size);

// Calls a function for as many arguments as it has lanes.
template <typename Real> using VectorCall = void (*)(void* function, const Real* arguments, Real* results);

// For float and double. Throws UsageError if this processor has no such vectors.
template <typename Real> [[nodiscard]] VectorCall<Real> vector_call(std::size_t lanes);

} // namespace tmd::library
