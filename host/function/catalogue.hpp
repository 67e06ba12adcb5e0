// The catalogue of functions: one entry a function, and nothing else in the library chooses one by its name.
#pragma once

#include "function/family.hpp"
#include "function/function.hpp"

#include <span>
#include <string_view>

namespace tmd::function {

// All functions, sorted by name; they live as long as the program.
[[nodiscard]] std::span<const Function> functions();

// All families of functions, sorted by name.
[[nodiscard]] std::span<const FunctionFamily> function_families();

// A function or a member NAME:N of a family, which lives as long as the program. Throws UsageError for an unknown name
// and for an N that the family has not.
[[nodiscard]] const Function& find_function(std::string_view name);

} // namespace tmd::function
