// Functions of vectors, as the vector ABIs of x86-64 and AArch64 have them: their names, and how they are called.
#pragma once

#include "tmd/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace tmd::library {

// "_ZGVdN4v_exp": the name of a vector variant of a C function of one argument, by the number of its lanes, of `size`
// bytes each. Throws UsageError where this processor has no such vectors.
[[nodiscard]] std::string vector_name(std::string_view c_name, std::size_t lanes, std::size_t size);

// Calls a function for as many arguments as it has lanes.
template <typename Real> using VectorCall = void (*)(void* function, const Real* arguments, Real* results);

// For float and double. Throws UsageError likewise.
template <typename Real> [[nodiscard]] VectorCall<Real> vector_call(std::size_t lanes);

} // namespace tmd::library
