// The catalogue of functions, with one entry for each; nothing else in the library selects a function by its name.
#pragma once

#include "function/family.hpp"
#include "function/function.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace tmd::function {

// All functions, sorted by name; they live as long as the program.
[[nodiscard]] std::span<const Function> functions();

// All families of functions, sorted by name.
[[nodiscard]] std::span<const FunctionFamily> function_families();

// A function, or a member NAME:N of a family. It lives as long as the program. Throws UsageError for an unknown name
// and for an N that the family does not have.
[[nodiscard]] const Function& find_function(std::string_view name);

// The other functions that a phase walk for this one may serve.
[[nodiscard]] std::vector<const Function*> companions_of(const Function& function);

} // namespace tmd::function
